import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeDateFormatter
import KeepsakeTestSupport

/// Settings that both packages' coders have.
struct Strategies: CustomStringConvertible {
  enum Key: CaseIterable { case plain, snake, custom }
  enum Day: CaseIterable { case deferred, seconds, milliseconds, iso8601, custom, empty, formatted }
  enum Bytes: CaseIterable { case base64, deferred, custom }

  var key: Key
  var date: Day
  var data: Bytes
  var convertsFloats: Bool
  var isPretty: Bool
  var hasSlashes: Bool

  init(_ random: inout SeededRandom) {
    key = random.pick(Key.allCases)
    date = random.pick(Day.allCases)
    // Formatters are slow, and of interest only once.
    if date == .formatted, !random.happens(oneIn: 16) { date = .deferred }
    data = random.pick(Bytes.allCases)
    convertsFloats = !random.happens(oneIn: 4)
    isPretty = random.happens(oneIn: 3)
    hasSlashes = random.happens(oneIn: 2)
  }

  var description: String {
    "\(key), dates \(date), data \(data), floats \(convertsFloats ? "converted" : "refused")"
      + (isPretty ? ", pretty" : "") + (hasSlashes ? ", slashes as they are" : "")
  }

  static let formatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
    return formatter
  }()

  // MARK: What closures do

  @Sendable private static func encodeKey(_ path: [any CodingKey]) -> any CodingKey {
    let key = path[path.count - 1]
    return AnyCodingKey(stringValue: "own·\(key.stringValue)") ?? key
  }

  @Sendable private static func decodeKey(_ path: [any CodingKey]) -> any CodingKey {
    let key = path[path.count - 1]
    let text = key.stringValue
    guard text.hasPrefix("own·") else { return key }
    return AnyCodingKey(stringValue: String(text.split(separator: "·", maxSplits: 1).last ?? ""))
      ?? key
  }

  @Sendable private static func encode(_ date: Date, _ encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode("date")
    try container.encode(date.timeIntervalSince1970)
  }

  @Sendable private static func encodeNothing(_ date: Date, _ encoder: any Encoder) {}

  @Sendable private static func decodeDate(_ decoder: any Decoder) throws -> Date {
    var container = try decoder.unkeyedContainer()
    guard try container.decode(String.self) == "date" else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
    }
    return Date(timeIntervalSince1970: try container.decode(Double.self))
  }

  @Sendable private static func decodeNoDate(_ decoder: any Decoder) throws -> Date {
    let keys = try decoder.container(keyedBy: AnyCodingKey.self).allKeys
    return Date(timeIntervalSince1970: Double(keys.count))
  }

  @Sendable private static func encode(_ data: Data, _ encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyCodingKey.self)
    let key = AnyCodingKey(stringValue: "bytesHere")!
    try container.encode(data.map { Int($0) }, forKey: key)
  }

  @Sendable private static func decodeData(_ decoder: any Decoder) throws -> Data {
    let container = try decoder.container(keyedBy: AnyCodingKey.self)
    return Data(try container.decode([UInt8].self, forKey: AnyCodingKey(stringValue: "bytesHere")!))
  }

  // MARK: Foundation

  func foundationEncoder() -> Foundation.JSONEncoder {
    let encoder = Foundation.JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    if hasSlashes { encoder.outputFormatting.insert(.withoutEscapingSlashes) }
    switch key {
    case .plain: break
    case .snake: encoder.keyEncodingStrategy = .convertToSnakeCase
    case .custom: encoder.keyEncodingStrategy = .custom(Self.encodeKey)
    }
    switch date {
    case .deferred: break
    case .seconds: encoder.dateEncodingStrategy = .secondsSince1970
    case .milliseconds: encoder.dateEncodingStrategy = .millisecondsSince1970
    case .iso8601: encoder.dateEncodingStrategy = .iso8601
    case .custom: encoder.dateEncodingStrategy = .custom(Self.encode)
    case .empty: encoder.dateEncodingStrategy = .custom(Self.encodeNothing)
    case .formatted: encoder.dateEncodingStrategy = .formatted(Self.formatter)
    }
    switch data {
    case .base64: break
    case .deferred: encoder.dataEncodingStrategy = .deferredToData
    case .custom: encoder.dataEncodingStrategy = .custom(Self.encode)
    }
    if convertsFloats {
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "NaN")
    }
    return encoder
  }

  func foundationDecoder() -> Foundation.JSONDecoder {
    let decoder = Foundation.JSONDecoder()
    switch key {
    case .plain: break
    case .snake: decoder.keyDecodingStrategy = .convertFromSnakeCase
    case .custom: decoder.keyDecodingStrategy = .custom(Self.decodeKey)
    }
    switch date {
    case .deferred: break
    case .seconds: decoder.dateDecodingStrategy = .secondsSince1970
    case .milliseconds: decoder.dateDecodingStrategy = .millisecondsSince1970
    case .iso8601: decoder.dateDecodingStrategy = .iso8601
    case .custom: decoder.dateDecodingStrategy = .custom(Self.decodeDate)
    case .empty: decoder.dateDecodingStrategy = .custom(Self.decodeNoDate)
    case .formatted: decoder.dateDecodingStrategy = .formatted(Self.formatter)
    }
    switch data {
    case .base64: break
    case .deferred: decoder.dataDecodingStrategy = .deferredToData
    case .custom: decoder.dataDecodingStrategy = .custom(Self.decodeData)
    }
    if convertsFloats {
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "NaN")
    }
    return decoder
  }

  // MARK: Keepsake

  func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    if hasSlashes { encoder.outputFormatting.insert(.withoutEscapingSlashes) }
    switch key {
    case .plain: break
    case .snake: encoder.keyEncodingStrategy = .convertToSnakeCase
    case .custom: encoder.keyEncodingStrategy = .custom(Self.encodeKey)
    }
    switch date {
    case .deferred: break
    case .seconds: encoder.dateEncodingStrategy = .secondsSince1970
    case .milliseconds: encoder.dateEncodingStrategy = .millisecondsSince1970
    case .iso8601: encoder.dateEncodingStrategy = .iso8601
    case .custom: encoder.dateEncodingStrategy = .custom(Self.encode)
    case .empty: encoder.dateEncodingStrategy = .custom(Self.encodeNothing)
    case .formatted: encoder.dateEncodingStrategy = .formatted(Self.formatter)
    }
    switch data {
    case .base64: break
    case .deferred: encoder.dataEncodingStrategy = .deferredToData
    case .custom: encoder.dataEncodingStrategy = .custom(Self.encode)
    }
    if convertsFloats {
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "NaN")
    }
    return encoder
  }

  func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    switch key {
    case .plain: break
    case .snake: decoder.keyDecodingStrategy = .convertFromSnakeCase
    case .custom: decoder.keyDecodingStrategy = .custom(Self.decodeKey)
    }
    switch date {
    case .deferred: break
    case .seconds: decoder.dateDecodingStrategy = .secondsSince1970
    case .milliseconds: decoder.dateDecodingStrategy = .millisecondsSince1970
    case .iso8601: decoder.dateDecodingStrategy = .iso8601
    case .custom: decoder.dateDecodingStrategy = .custom(Self.decodeDate)
    case .empty: decoder.dateDecodingStrategy = .custom(Self.decodeNoDate)
    case .formatted: decoder.dateDecodingStrategy = .formatted(Self.formatter)
    }
    switch data {
    case .base64: break
    case .deferred: decoder.dataDecodingStrategy = .deferredToData
    case .custom: decoder.dataDecodingStrategy = .custom(Self.decodeData)
    }
    if convertsFloats {
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "NaN")
    }
    return decoder
  }
}
