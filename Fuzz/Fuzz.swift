import Foundation

/// What each of the targets does with bytes that nobody has looked at.
///
/// Whatever they are, a parser gives a value or an error; and what it gives can be written and read
/// again as the same. The target is chosen by the environment, for all are built in one go.
enum Target: String, CaseIterable {
  case jsonDecoder = "json-decoder"
  case jsonValue = "json-value"
  case xml, binary
  case openStep = "openstep"

  static let chosen = Target(
    rawValue: ProcessInfo.processInfo.environment["KEEPSAKE_FUZZ_TARGET"] ?? "")

  func run(_ bytes: [UInt8]) {
    switch self {
    case .jsonDecoder: Self.decodeJSON(bytes)
    case .jsonValue: Self.parseJSON(bytes)
    case .xml: Self.parsePropertyList { () throws in try PropertyList.Value(parsingXML: bytes) }
    case .binary:
      Self.parsePropertyList { () throws in try PropertyList.Value(parsingBinary: bytes) }
    case .openStep: Self.parsePropertyList { () throws in try PropertyList.Value(parsing: bytes) }
    }
    guard self != .jsonDecoder, self != .jsonValue else { return }
    let decoder = PropertyList.Decoder()
    _ = try? decoder.decode(Sample.self, from: bytes)
    _ = try? decoder.decode([Sample].self, from: bytes)
    _ = try? decoder.decode(Anything.self, from: bytes)
    if let value = try? decoder.decode(JSON.Value.self, from: bytes) {
      _ = try? PropertyList.Encoder().encode(value)
    }
  }

  // MARK: Targets

  private static func decodeJSON(_ bytes: [UInt8]) {
    let decoder = JSON.Decoder()
    let data = Data(bytes)
    // The last byte chooses the settings, so that the fuzzer can.
    let settings = bytes.last ?? 0
    decoder.allowsJSON5 = settings & 1 != 0
    decoder.assumesTopLevelDictionary = settings & 2 != 0
    if settings & 4 != 0 { decoder.keyDecodingStrategy = .convertFromSnakeCase }
    if settings & 8 != 0 { decoder.dateDecodingStrategy = .iso8601 }
    if settings & 16 != 0 { decoder.duplicateKeyPolicy = .last }
    if let sample = try? decoder.decode(Sample.self, from: data) { encode(sample, settings) }
    if let samples = try? decoder.decode([Sample].self, from: data) { encode(samples, settings) }
    _ = try? decoder.decode([String: [Int]].self, from: data)
    decodeValue(bytes, with: decoder)
    guard let value = try? decoder.decode(Anything.self, from: data) else { return }
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let first = try? encoder.encode(value) else { return }
    // A double that is whole may come back as an integer; after that nothing changes.
    guard let copy = try? JSON.Decoder().decode(Anything.self, from: first),
      let second = try? encoder.encode(copy),
      let third = try? encoder.encode(JSON.Decoder().decode(Anything.self, from: second))
    else { preconditionFailure("what was written is not read") }
    precondition(second == third, "encoding does not last")
  }

  /// Encodes a value whose keys are bytes, which have a way of their own.
  private static func encode<T: Encodable>(_ value: T, _ settings: UInt8) {
    let encoder = JSON.Encoder()
    if settings & 32 != 0 { encoder.outputFormatting = [.sortedKeys, .prettyPrinted] }
    if settings & 64 != 0 { encoder.keyEncodingStrategy = .convertToKebabCase }
    guard let text = try? encoder.encode(value) else { return }
    precondition((try? JSON.Value(parsing: Array(text))) != nil, "what was written is not read")
  }

  /// What a decoder makes a `JSON.Value` of is what parsing makes of it, and is written exactly.
  private static func decodeValue(_ bytes: [UInt8], with decoder: JSON.Decoder) {
    var syntax: JSON.Syntax = decoder.allowsJSON5 ? .json5 : []
    if decoder.assumesTopLevelDictionary { syntax.formUnion(.topLevelObjectWithoutBraces) }
    let decoded = try? decoder.decode(JSON.Value.self, from: bytes)
    let parsed = try? JSON.Value(
      parsing: bytes, syntax: syntax, duplicateKeys: decoder.duplicateKeyPolicy)
    if let parsed { precondition(decoded == parsed, "decoding and parsing differ") }
    guard let decoded, let text = try? JSON.Encoder().encode(decoded) else { return }
    precondition((try? JSON.Value(parsing: Array(text))) == decoded, "writing is not exact")
  }

  private static func parseJSON(_ bytes: [UInt8]) {
    _ = try? JSON.Value(parsing: bytes, syntax: .json5)
    guard let value = try? JSON.Value(parsing: bytes) else { return }
    let isWide = bytes.withUnsafeBytes { WideEncoding(of: $0) } != nil
    precondition(isWide || String(validating: bytes, as: UTF8.self) != nil, "this is not UTF-8")
    _ = "\(value)"
  }

  private static func parsePropertyList(_ parse: () throws -> PropertyList.Value) {
    guard let value = try? parse() else { return }
    let binary = value.serializedBinary()
    guard let copy = try? PropertyList.Value(parsingBinary: binary) else {
      preconditionFailure("what was written is not read")
    }
    precondition(copy.serializedBinary() == binary, "writing does not last")
    if let text = try? PropertyList.Value(parsingXML: value.serializedXML()) {
      _ = text.serializedXML()
    }
  }
}

/// A value of every type that a coder treats in its own way.
private struct Sample: Codable {
  var text: String?
  var int: Int?
  var byte: UInt8?
  var wide: Int128?
  var double: Double?
  var float: Float?
  var flag: Bool?
  var date: Date?
  var data: Data?
  var url: URL?
  var uuid: UUID?
  var decimal: Decimal?
  var texts: [String]?
  var numbers: [Double]?
  var byName: [String: Int]?
  var children: [Sample]?
}

/// Whatever there is.
private enum Anything: Codable {
  case null, flag(Bool), integer(Int), number(Double), text(String)
  case list([Anything]), entries([String: Anything])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
      // Containers first: each failed question takes the path to the value, however deep.
    } else if var list = try? decoder.unkeyedContainer() {
      var elements: [Anything] = []
      while !list.isAtEnd { elements.append(try list.decode(Anything.self)) }
      self = .list(elements)
    } else if (try? decoder.container(keyedBy: AnyCodingKey.self)) != nil {
      self = .entries(try container.decode([String: Anything].self))
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .entries(let entries): try container.encode(entries)
    }
  }
}

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let target = Target.chosen else { fatalError("KEEPSAKE_FUZZ_TARGET names no target") }
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
