import KeepsakeCoding

/// The key of a document's version.
let schemaVersionKey = "schemaVersion"

/// A document, unless it is in an older version than the one that is written.
struct VersionedDocument<Document: Decodable>: Decodable {
  let document: Document?

  private enum Key: CodingKey {
    case schemaVersion
  }

  init(from decoder: any Decoder) throws {
    let current = decoder.userInfo[.currentVersion] as? Int ?? 1
    let container = try decoder.container(keyedBy: Key.self)
    let version = try container.decodeIfPresent(Int.self, forKey: .schemaVersion) ?? 1
    if version < current {
      document = nil
      return
    }
    do {
      document = try Document(from: decoder)
    } catch  where version > current {
      throw NewerVersion(version: version, cause: error)
    }
  }
}

/// A text in a newer version than the one that is written, which cannot be read.
struct NewerVersion: Error {
  let version: Int
  let cause: any Error
}

extension CodingUserInfoKey {
  /// The version that is written.
  static let currentVersion = CodingUserInfoKey(rawValue: "keepsake.documents.currentVersion")!
}

extension JSON.Object {
  /// The version of a document.
  ///
  /// - Throws: `DecodingError` where it is none.
  func schemaVersion() throws -> Int {
    guard let value = self[schemaVersionKey] else { return 1 }
    guard case .number(let number) = value, let version = number.integer(as: Int.self), version >= 1
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [AnyCodingKey(stringValue: schemaVersionKey)],
          debugDescription: "no version: \(value)"
        ))
    }
    return version
  }
}

extension DecodingError {
  /// The same error about a text that nobody has seen.
  var withoutPlace: DecodingError {
    let obstacle = obstacle
    func bare(_ context: Context) -> Context {
      Context(
        codingPath: context.codingPath, debugDescription: context.debugDescription,
        underlyingError: obstacle)
    }
    return switch self {
    case .typeMismatch(let type, let context): .typeMismatch(type, bare(context))
    case .valueNotFound(let type, let context): .valueNotFound(type, bare(context))
    case .keyNotFound(let key, let context): .keyNotFound(key, bare(context))
    case .dataCorrupted(let context): .dataCorrupted(bare(context))
    @unknown default: self
    }
  }
}
