import Foundation

/// What came of coding: a result, or an error as far as two packages can agree on it.
enum Outcome<Result> {
  case result(Result)
  case failure(Failure)

  init(_ body: () throws -> Result) {
    do { self = .result(try body()) } catch { self = .failure(Failure(error)) }
  }
}

/// An error's kind, where it happened, and what it was about; not its words.
struct Failure: Equatable, CustomStringConvertible {
  var kind: String
  var path: [String]

  init(_ error: any Error) {
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      self.init("typeMismatch \(Self.name(type))", context.codingPath)
    case DecodingError.valueNotFound(let type, let context):
      self.init("valueNotFound \(Self.name(type))", context.codingPath)
    case DecodingError.keyNotFound(let key, let context):
      self.init("keyNotFound \(key.stringValue)", context.codingPath)
    case DecodingError.dataCorrupted(let context):
      self.init("dataCorrupted", context.codingPath)
    case EncodingError.invalidValue(let value, let context):
      self.init("invalidValue \(type(of: value))", context.codingPath)
    default: self.init("\(type(of: error)) \(error)", [])
    }
  }

  private init(_ kind: String, _ path: [any CodingKey]) {
    self.kind = kind
    self.path = path.map { key in
      key.intValue.map { "\(key.stringValue)#\($0)" } ?? key.stringValue
    }
  }

  /// Containers go by several names.
  private static func name(_ type: any Any.Type) -> String {
    let name = "\(type)"
    return name.contains("<") || name.contains("Container") ? "of a container" : name
  }

  var description: String { "\(kind) at [\(path.joined(separator: " / "))]" }
}

extension Outcome where Result: Equatable {
  func equals(_ other: Outcome) -> Bool {
    switch (self, other) {
    // By their descriptions too, for no NaN equals itself.
    case (.result(let left), .result(let right)): left == right || "\(left)" == "\(right)"
    case (.failure(let left), .failure(let right)): left == right
    default: false
    }
  }
}

extension Outcome: CustomStringConvertible {
  var description: String {
    switch self {
    case .result(let data as Data): String(decoding: data, as: UTF8.self)
    case .result(let result): "\(result)"
    case .failure(let failure): "\(failure)"
    }
  }
}
