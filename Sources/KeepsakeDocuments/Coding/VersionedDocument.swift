import KeepsakeCoding

/// A document, unless its version is older than the current one.
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

/// A text of a newer version than the current one cannot be decoded.
struct NewerVersion: Error {
  let version: Int
  let cause: any Error
}

extension CodingUserInfoKey {
  /// The current version.
  static let currentVersion = CodingUserInfoKey(rawValue: "keepsake.documents.currentVersion")!
}

extension JSON.Object {
  /// The version of a document.
  ///
  /// - Throws: `DecodingError` if it is not a version.
  func schemaVersion() throws -> Int {
    guard let value = self[schemaVersionKey] else { return 1 }
    guard case .number(let number) = value, let version = number.integer(as: Int.self), version >= 1
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [AnyCodingKey(stringValue: schemaVersionKey)],
          debugDescription: "\(value) is not a version"
        ))
    }
    return version
  }
}

extension DecodingError {
  /// The same error without a location, for a text that is in no file.
  var withoutLocation: DecodingError {
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
