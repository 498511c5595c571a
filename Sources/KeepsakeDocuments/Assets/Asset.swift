import KeepsakeFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file beside the documents that they name, such as an image.
///
/// In a document it is the plain name of its file, so that a person can follow it; a name that
/// could lead out of the directory does not decode. The store names an asset when it is added, by a
/// UUID and the extension of its type: two assets never have one name, and the content of one never
/// changes.
///
/// The name must be there to be read, for it is in the documents' text that the store finds which
/// assets are still needed. A document that has one only inside an encrypted property, or encoded to
/// `Data`, cannot be saved.
public struct Asset: Hashable, Sendable {
  /// The name of the file, in the directory of the documents.
  public let name: String

  /// An asset by the name of its file.
  ///
  /// - Returns: `nil` for a name that is no file's, leads out of the directory, is hidden, or is longer
  ///   than a file system takes.
  public init?(name: String) {
    guard FileName(escaping: name).string == name, name.utf8.count <= 255 else { return nil }
    self.name = name
  }

  /// An asset with a name of its own.
  init(_ type: AssetType, uuid: UUID = UUID()) {
    name = "\(uuid.uuidString).\(type.pathExtension)"
  }

  /// The part of the name after the last dot, in small letters; empty where there is none.
  public var pathExtension: String {
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Whether the store gave the asset its name: others' files are never moved or removed.
  ///
  /// The extension must be a type's, for a document may have a UUID as its name too.
  func isNamedByStore(types: [AssetType]) -> Bool {
    guard let dot = name.firstIndex(of: "."), let uuid = UUID(uuidString: String(name[..<dot]))
    else { return false }
    let suffix = name[name.index(after: dot)...]
    return name[..<dot] == uuid.uuidString && types.contains { $0.pathExtension == suffix }
  }
}

extension Asset: Codable {
  /// Creates the asset that a string names.
  ///
  /// - Throws: `DecodingError` for a name that ``init(name:)`` does not take.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let asset = Asset(name: name) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "'\(name)' is no name of a file in the documents' directory")
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
