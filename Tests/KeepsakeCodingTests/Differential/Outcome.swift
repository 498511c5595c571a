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
  /// Whether a text was no base64, or no moment of ISO 8601, of which Foundation takes more.
  var isOfStrictText = false

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
      isOfStrictText = ["Base64", "ISO8601", "ISO 8601"].contains {
        context.debugDescription.contains($0)
      }
    case EncodingError.invalidValue(let value, let context):
      self.init("invalidValue \(type(of: value))", context.codingPath)
    default: self.init("\(type(of: error)) \(error)", [])
    }
  }

  private init(_ kind: String, _ path: [any CodingKey]) {
    self.kind = kind
    self.path = path.map(\.stringValue)
  }

  /// Containers go by several names.
  private static func name(_ type: any Any.Type) -> String {
    let name = "\(type)"
    return name.contains("<") || name.contains("Container") ? "of a container" : name
  }

  var description: String { "\(kind) at [\(path.joined(separator: " / "))]" }
}

extension Outcome where Result: Equatable {
  /// Whether this is what Foundation's outcome is, but for deliberate differences.
  ///
  /// - Parameters:
  ///   - hasDictionaries: Whether several faults may be met in any order.
  ///   - isSame: Whether values are the same that do not equal each other, as NaN does not.
  func agrees(
    with other: Outcome, hasDictionaries: Bool = false, isSame: (Result, Result) -> Bool
  ) -> Bool {
    switch (self, other) {
    case (.result(let left), .result(let right)): left == right || isSame(left, right)
    case (.failure(let left), .failure(let right)):
      hasDictionaries || left.isOfStrictText || left.agrees(with: right)
    case (.failure(let left), .result): left.isOfStrictText
    default: false
    }
  }
}

extension Failure {
  /// Foundation leaves away the end of many a path, and all of it where a number does not fit; it
  /// finds no `null` where a `Bool` should be, but a mismatch.
  fileprivate func agrees(with other: Failure) -> Bool {
    if self == other { return true }
    if kind.hasPrefix("invalidValue") {
      // Of nested containers Foundation leaves away the keys.
      var rest = path[...]
      let isPart = other.path.allSatisfy { key in
        while let next = rest.popFirst() { if next == key { return true } }
        return false
      }
      return other.kind == kind && isPart
    }
    if kind == "dataCorrupted" {
      return other.kind == kind && path.starts(with: other.path)
    }
    return path == other.path && kind.hasPrefix("valueNotFound")
      && (other.kind.hasPrefix("valueNotFound") || other.kind == "typeMismatch Bool")
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

extension Outcome {
  /// Where this and another outcome begin to differ, and with how much around that.
  func contrast(_ other: Outcome) -> String {
    let (left, right) = (Array("\(self)".unicodeScalars), Array("\(other)".unicodeScalars))
    let same = zip(left, right).prefix { $0 == $1 }.count
    func excerpt(_ text: [Unicode.Scalar]) -> String {
      let part = text[max(0, same - 60)..<min(text.count, same + 60)]
      return String(String.UnicodeScalarView(part)).debugDescription
    }
    return "\(excerpt(left)), with Foundation \(excerpt(right))"
  }
}
