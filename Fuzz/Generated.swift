import Foundation
import KeepsakeCoding
import KeepsakeMacros

/// Decodes bytes that nobody has looked at with generated code, straight and through `Codable`: both
/// give the same value, or none, and write it as the same text, which is read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  compare(Generated.self, bytes)
  compare(Plain.self, bytes)
  compare(Changed.self, bytes)
  compare(External.self, bytes)
  compare(Internal.self, bytes)
  compare(Adjacent.self, bytes)
  compare(Raw.self, bytes)
  return 0
}

// A `userInfo` is what the straight way does not have.
private let codable: [CodingUserInfoKey: any Sendable] = [
  CodingUserInfoKey(rawValue: "codable")!: true
]

private func compare<T: Codable & Equatable>(_ type: T.Type, _ bytes: [UInt8]) {
  let decoder = JSON.Decoder()
  let straight = try? decoder.decode(T.self, from: bytes)
  decoder.userInfo = codable
  precondition(straight == (try? decoder.decode(T.self, from: bytes)), "\(type): the values differ")
  guard let straight else { return }

  let encoder = JSON.Encoder()
  let text = try? encoder.encodeToBytes(straight)
  encoder.userInfo = codable
  precondition(text == (try? encoder.encodeToBytes(straight)), "\(type): the texts differ")
  guard let text else { return }
  decoder.userInfo = [:]
  guard let copy = try? decoder.decode(T.self, from: text) else {
    preconditionFailure("\(type): what was written is not read")
  }
  precondition(copy == straight, "\(type): what was written is another value")
}

/// Every kind of property.
@Storable
private struct Generated: Equatable {
  var plain: Plain?
  var changed: Changed?
  var external: [External] = []
  var tagged: [String: Internal] = [:]
  var adjacent: Adjacent?
  @IfUnreadable(.dropElements) var raw: [Raw] = []
  var children: [Generated] = []
  @NotStored var count = 0

  mutating func didDecode() { count = children.count }
}

@Storable
private struct Plain: Equatable {
  var text: String
  var int: Int?
  var byte: UInt8 = 0
  var double = 0.5
  var float: Float?
  var flag = false
  var date: Date?
  var data: Data?
  var url: URL?
  var uuid: UUID?
  var decimal: Decimal?
  var texts: [String] = []
  var numbers: [[Double]] = []
  var byName: [String: [Int?]] = [:]
}

@Storable(version: 3, keys: .snakeCase)
private struct Changed: Equatable {
  @Key("title", aliases: "name", "täg") var heading: String
  @Key(path: "contact.phone.home", aliases: "phone") var phone: String?
  @Coded(.text(of: Int.self)) var numberInText = 1
  @Coded(.iso8601) var date: Date?
  @IfUnreadable(.useDefault) var rating = 3
  @Migrated(before: 3, { (old: Double) in old.isFinite && abs(old) < 1e9 ? Int(old * 100) : nil })
  var cents = 0
  @Migrated(from: "range", { (old: String) in old.split(separator: "-").first.map(String.init) })
  var lowest: String?
}

@Storable
private enum External: Equatable {
  case none
  case point(x: Double, y: Double = 1)
  @Key("text", aliases: "string") case words(String, count: Int?)
}

@Storable(tag: "type")
private enum Internal: Equatable {
  case exercise(name: String, seconds: Int)
  case plain(Plain)
  @Unknown case other(JSON.Value)
}

@Storable(tag: "type", content: "value")
private enum Adjacent: Equatable {
  case exercise(name: String, seconds: Int)
  case pause
}

@Storable
private enum Raw: String, Equatable {
  case metric
  @Key(aliases: "english") case imperial
}
