import KeepsakeFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file beside the documents that they name, such as an image.
///
/// A document contains the name of its file, which a person can read; a name that escapes the directory
/// is not decoded. The store names an asset when it is added, by a UUID and the extension of its type:
/// two assets never have the same name, and the content of one never changes.
///
/// The store finds out in the documents' text which assets are still needed. A document that contains
/// the name only in an encrypted property, or encoded to `Data`, cannot be saved.
public struct Asset: Hashable, Sendable {
  /// The name of the file, in the directory of the documents.
  public let name: String

  /// Creates an asset from the name of its file.
  ///
  /// - Returns: `nil` for a name that is not a file name, escapes the directory, is hidden, or is longer
  ///   than 255 bytes.
  public init?(name: String) {
    guard FileName(escaping: name).string == name, name.utf8.count <= 255 else { return nil }
    self.name = name
  }

  /// Creates an asset with a new name.
  init(_ type: Asset.ContentType, uuid: UUID = UUID()) {
    name = "\(uuid.uuidString).\(type.pathExtension)"
  }

  /// The part of the name after the last dot, in lowercase letters; empty if there is none.
  public var pathExtension: String {
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Whether the store named the asset: other files are never removed.
  ///
  /// The extension must be that of a type, because the name of a document may be a UUID, too.
  func isNamedByStore(types: [Asset.ContentType]) -> Bool {
    guard let dot = name.firstIndex(of: "."), let uuid = UUID(uuidString: String(name[..<dot]))
    else { return false }
    let suffix = name[name.index(after: dot)...]
    return name[..<dot] == uuid.uuidString && types.contains { $0.pathExtension == suffix }
  }
}

extension Asset: Codable {
  /// Creates the asset with the name in a string.
  ///
  /// - Throws: `DecodingError` for a name that ``init(name:)`` refuses.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let asset = Asset(name: name) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "'\(name)' is not the name of a file in the documents' directory")
    }
    self = asset
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    EncodedAssets.current?.note(self)
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension Asset: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
