#if Configuration
import KeepsakeCoding
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The formats of configuration files.
enum ConfigurationFormat {
  case propertyList
  case json
  case yaml

  /// What is wrong with a text, and where; never the text itself, which may be secret.
  struct Fault: Error {
    let message: String
    var location: TextLocation?
  }

  /// The format that a file's name says.
  init?(_ path: FilePath) {
    switch path.extension?.lowercased() {
    case "plist": self = .propertyList
    case "json": self = .json
    case "yaml", "yml": self = .yaml
    default: return nil
    }
  }

  /// Reads a file's value; null is no value, and its key is not there.
  func parse(
    _ bytes: [UInt8], _ secrets: ConfigurationSecrets
  ) throws(Fault) -> PropertyList.Value {
    switch self {
    case .propertyList:
      do throws(PropertyList.ParseError) {
        return try PropertyList.Value(parsing: bytes)
      } catch {
        // The message can quote a scalar.
        let isSecret = secrets.contains(
          ConfigurationName(error.path.joined(separator: ".")), text: "")
        throw Fault(
          message: isSecret ? "a secret's value is not one of a property list" : error.message,
          location: Self.withoutText(error.location))
      }
    case .json:
      do throws(JSON.ParseError) {
        let value = try JSON.Value(
          parsing: bytes, syntax: [.comments, .trailingCommas], duplicateKeys: .error)
        return Self.value(value) ?? .dictionary([:])
      } catch {
        throw Fault(message: error.message, location: Self.withoutText(error.location))
      }
    case .yaml: return try YAMLReader.value(bytes)
    }
  }

  /// Where a value stands.
  ///
  /// - Complexity: O(*n*) in the file's size.
  func location(of path: [String], in bytes: [UInt8]) -> TextLocation? {
    do {
      switch self {
      case .propertyList:
        let decoder = PropertyList.Decoder()
        decoder.userInfo[LocationProbe.pathKey] = path
        _ = try decoder.decode(LocationProbe.self, from: bytes)
      case .json:
        let decoder = JSON.Decoder()
        decoder.allowsComments = true
        decoder.allowsTrailingCommas = true
        decoder.userInfo[LocationProbe.pathKey] = path
        _ = try decoder.decode(LocationProbe.self, from: bytes)
      case .yaml: return YAMLReader.location(of: path, in: bytes)
      }
    } catch let error as DecodingError {
      return error.location.flatMap(Self.withoutText)
    } catch {}
    return nil
  }

  /// A location without the text there, which may be secret; `nil` in a binary file.
  private static func withoutText(_ location: TextLocation) -> TextLocation? {
    location.line > 0 ? TextLocation(line: location.line, column: location.column) : nil
  }

  static func value(_ value: JSON.Value) -> PropertyList.Value? {
    switch value {
    case .null: nil
    case .bool(let isSo): .boolean(isSo)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.compactMap(Self.value))
    case .object(let object):
      .dictionary(
        Dictionary(
          object.compactMap { entry in Self.value(entry.value).map { (entry.key, $0) } },
          uniquingKeysWith: { first, _ in first }))
    case .number(let number):
      if let integer = number.integer(as: Int64.self) {
        .integer(integer)
      } else if let integer = number.integer(as: UInt64.self) {
        .unsigned(integer)
      } else {
        // What no number can hold keeps its digits.
        number.double.map { .real($0) } ?? .string(number.text)
      }
    }
  }
}
#endif
