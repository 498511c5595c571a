public import KeepsakeCoding
import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A stored value that was replaced although it could not be read, and is kept beside the settings.
public struct PreservedValue: Sendable, Equatable {
  /// The setting's key.
  public var key: String
  /// The stored form of the value.
  public var value: PropertyList.Value
  /// When the value was replaced.
  public var date: Date
  /// Why it could not be read.
  public var reason: String
  /// The file that contains it, a property list; `nil` for settings in memory.
  public var file: FilePath?
}

extension PreservedValue {
  /// The bytes of a file.
  var bytes: [UInt8] {
    let entries: [String: PropertyList.Value] = [
      "key": .string(key), "value": value, "date": .real(date.timeIntervalSinceReferenceDate),
      "reason": .string(reason),
    ]
    return PropertyList.Value.dictionary(entries).serializedXML()
  }

  /// Reads a file.
  init(_ bytes: [UInt8], in file: FilePath) throws {
    guard case .dictionary(let entries) = try PropertyList.Value(parsing: bytes),
      case .string(let key)? = entries["key"], let value = entries["value"],
      let date = entries["date"].flatMap({ Date(propertyList: $0) }),
      case .string(let reason)? = entries["reason"]
    else { throw FileError(.read, file, .invalidArgument, effect: "it is no preserved value") }
    self.init(key: key, value: value, date: date, reason: reason, file: file)
  }
}
