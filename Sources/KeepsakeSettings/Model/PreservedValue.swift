public import KeepsakeCoding
import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A stored value that was replaced, by what could not read it or by other machines, and is kept beside the settings.
public struct PreservedValue: Sendable, Equatable {
  /// The setting's key.
  public var key: String
  /// The stored form of the value.
  public var value: PropertyList.Value
  /// When the value was replaced.
  public var date: Date
  /// Why it was replaced, or could not be read.
  public var reason: String
  /// The file that contains it, a property list, with others that were replaced at once; `nil` for settings in memory.
  public var file: FilePath?
}

extension PreservedValue {
  /// The bytes of a file: a dictionary, or an array of them if several values were replaced at once.
  static func bytes(of values: [PreservedValue]) -> [UInt8] {
    let entries = values.map(\.entries)
    return (entries.count == 1 ? entries[0] : .array(entries)).serializedXML()
  }

  private var entries: PropertyList.Value {
    .dictionary([
      "key": .string(key), "value": value, "date": .real(date.timeIntervalSinceReferenceDate),
      "reason": .string(reason),
    ])
  }

  /// Reads a file.
  static func values(in bytes: [UInt8], of file: FilePath) throws -> [PreservedValue] {
    let content = try PropertyList.Value(parsing: bytes)
    guard case .array(let all) = content else { return [try PreservedValue(content, in: file)] }
    return try all.map { try PreservedValue($0, in: file) }
  }

  private init(_ value: PropertyList.Value, in file: FilePath) throws {
    guard case .dictionary(let entries) = value, case .string(let key)? = entries["key"],
      let value = entries["value"],
      let date = entries["date"].flatMap({ Date(propertyList: $0) }),
      case .string(let reason)? = entries["reason"]
    else { throw FileError(.read, file, .invalidArgument, effect: "it is no preserved value") }
    self.init(key: key, value: value, date: date, reason: reason, file: file)
  }

  /// Whether it is the same value of the same setting, byte by byte.
  func isSame(as other: PreservedValue) -> Bool {
    SettingsName(key) == SettingsName(other.key) && value.isIdentical(to: other.value)
  }
}
