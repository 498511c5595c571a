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

  /// An error in a text; it never contains the text itself, which may be secret.
  struct ParseError: Error {
    let message: String
    var location: TextLocation?
  }

  /// The content of a file.
  struct Document {
    var value: PropertyList.Value
    /// Whether all scalars are strings or data, as in OpenStep's format of property lists.
    var isUntyped = false
  }

  /// Returns the format for a file name's extension, or `nil` if there is none.
  init?(_ path: FilePath) {
    switch path.extension?.lowercased() {
    case "plist": self = .propertyList
    case "json": self = .json
    case "yaml", "yml": self = .yaml
    default: return nil
    }
  }

  /// Reads a file's value, without the keys whose value is null.
  func parse(
    _ bytes: [UInt8], _ secrets: ConfigurationSecrets
  ) throws(ParseError) -> Document {
    switch self {
    case .propertyList:
      do throws(PropertyList.ParseError) {
        var format = PropertyList.Format.xml
        let value = try PropertyList.Value(parsing: bytes, format: &format)
        return Document(value: value, isUntyped: format == .openStep)
      } catch {
        // The message can quote a scalar.
        let isSecret = secrets.contains(
          ConfigurationName(error.path.joined(separator: ".")), text: "")
        throw ParseError(
          message: isSecret ? "a secret has a value that no property list contains" : error.message,
          location: Self.withoutText(error.location))
      }
    case .json:
      do throws(JSON.ParseError) {
        let value = try JSON.Value(
          parsing: bytes, syntax: [.comments, .trailingCommas], duplicateKeys: .error)
        return Document(value: PropertyList.Value(value) ?? .dictionary([:]))
      } catch {
        throw ParseError(message: error.message, location: Self.withoutText(error.location))
      }
    case .yaml: return Document(value: try YAMLReader.value(bytes))
    }
  }

  /// The location of a value.
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

  /// A location without its excerpt, which may be secret; `nil` in a binary file.
  private static func withoutText(_ location: TextLocation) -> TextLocation? {
    location.line > 0 ? TextLocation(line: location.line, column: location.column) : nil
  }
}
#endif
