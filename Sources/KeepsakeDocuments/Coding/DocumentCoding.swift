import KeepsakeCoding

/// Encodes documents to the text of their files, and decodes them.
///
/// Its functions are generic, not the class: each use of a generic type looks up its metadata.
final class DocumentCoding: Sendable {
  private let configuration: DocumentConfiguration
  /// Has the values for keys that a file does not contain.
  private let defaultDocument: (any Encodable & Sendable)?
  private let encoder = JSON.Encoder()
  private let decoder = JSON.Decoder()

  init(
    _ configuration: DocumentConfiguration, defaultDocument: (any Encodable & Sendable)? = nil
  ) {
    self.configuration = configuration
    self.defaultDocument = defaultDocument
    let coding = configuration.coding
    encoder.dateEncodingStrategy = coding.dateEncodingStrategy
    encoder.dataEncodingStrategy = coding.dataEncodingStrategy
    encoder.nonConformingFloatEncodingStrategy = coding.nonConformingFloatEncodingStrategy
    encoder.userInfo = configuration.userInfo
    decoder.dateDecodingStrategy = coding.dateDecodingStrategy
    decoder.dataDecodingStrategy = coding.dataDecodingStrategy
    decoder.nonConformingFloatDecodingStrategy = coding.nonConformingFloatDecodingStrategy
    decoder.userInfo = configuration.userInfo
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    if let schema { decoder.userInfo[.currentVersion] = schema.version }
  }

  /// A copy with coders of its own, so that several threads need not wait for each other.
  var separate: DocumentCoding {
    DocumentCoding(configuration, defaultDocument: defaultDocument)
  }

  private var schema: DocumentSchema? { configuration.schema }
  private var assetTypes: [Asset.ContentType] { configuration.assetLimits.types }

  // MARK: Reading

  /// Decodes a document.
  ///
  /// - Throws: What the type's `init(from:)` and the migrations throw, ``NewerVersion`` if a text of a
  ///   newer version cannot be decoded.
  func decode<Document: Codable>(_ text: [UInt8], as type: Document.Type) throws -> Document {
    if schema != nil { return try decodeAnyVersion(text, as: type) }
    do {
      return try decodeAnyVersion(text, as: type)
    } catch {
      // An app that declares no schema has version 1.
      guard case .object(let object)? = try? JSON.Value(parsing: text),
        let version = try? object.schemaVersion(), version > 1
      else { throw error }
      throw NewerVersion(version: version, cause: error)
    }
  }

  private func decodeAnyVersion<Document: Codable>(
    _ text: [UInt8], as type: Document.Type
  ) throws -> Document {
    do {
      if schema == nil { return try decoder.decode(type, from: text) }
      let found = try decoder.decode(VersionedDocument<Document>.self, from: text)
      if let document = found.document { return document }
    } catch {
      guard defaultDocument != nil, error.isMissingKey, var value = try? JSON.Value(parsing: text)
      else { throw error }
      try migrate(&value)
      do {
        return try decode(value, as: type)
      } catch let later as DecodingError where later.obstacle != nil {
        throw later
      } catch _ {
        // The locations of this error are in the file.
        throw error
      }
    }
    var value = try JSON.Value(parsing: text)
    try migrate(&value)
    return try decode(value, as: type)
  }

  /// Decodes a value of the current version or a newer one.
  ///
  /// - Complexity: O(*n* *k*) where *k* keys are missing, because each is found by decoding again.
  private func decode<Result: Decodable>(
    _ value: JSON.Value, as type: Result.Type
  ) throws -> Result {
    do {
      return try value.decode(fillingFrom: defaults) {
        try decoder.decode(type, from: $0.serialized())
      }.value
    } catch let error as DecodingError {
      // Locations in this text are not locations in the file.
      throw error.withoutLocation
    }
  }

  /// The encoded default document, if there is one.
  ///
  /// - Throws: `DecodingError` if encoding it needs an encryption key that is not available.
  private func defaults() throws(DecodingError) -> JSON.Value? {
    guard let defaultDocument else { return nil }
    do {
      return try value(of: defaultDocument)
    } catch EncodingError.invalidValue(_, let context) {
      guard let obstacle = context.underlyingError as? any DecodingObstacle else { return nil }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: context.codingPath, debugDescription: context.debugDescription,
          underlyingError: obstacle))
    } catch {
      return nil
    }
  }

  /// Converts a value of an older version to the current one.
  private func migrate(_ value: inout JSON.Value) throws {
    guard let schema, case .object(var object) = value else { return }
    let version = try object.schemaVersion()
    guard version < schema.version else { return }
    for step in version..<schema.version { try schema.migrations[step]?(&object) }
    object[schemaVersionKey] = .number(JSON.Number(schema.version))
    value = .object(object)
  }

  /// Values in the form of one version, so that they can be merged; nil if a newer version has written some of them.
  func ofOneVersion(_ values: [JSON.Value]) -> [JSON.Value]? {
    if schema == nil { return values }
    var (found, versions): ([JSON.Value], Set<Int>) = ([], [])
    for var value in values {
      guard (try? migrate(&value)) != nil, case .object(let object) = value,
        let version = try? object.schemaVersion()
      else { return nil }
      found.append(value)
      versions.insert(version)
    }
    return versions.count == 1 ? found : nil
  }

  // MARK: Writing

  /// The text of a document's file.
  ///
  /// - Parameters:
  ///   - file: The current content of the file, whose unknown keys are kept.
  ///   - isWhollyKnown: Whether the file is known to contain no unknown keys.
  /// - Returns: The text, and whether it contains no unknown keys.
  func text<Document: Codable>(
    of document: Document, over file: [UInt8]?, isWhollyKnown: Bool
  ) throws -> (text: [UInt8], isWhollyKnown: Bool) {
    var encoded = try EncodedAssets.bytes(of: document, by: encoder, types: assetTypes)
    if schema == nil, file == nil || isWhollyKnown {
      encoded.append(UInt8(ascii: "\n"))
      return (encoded, true)
    }
    let ours = versioned(try JSON.Value(parsing: encoded))
    guard let file, let found = try? JSON.Value(parsing: file) else {
      return (try text(of: ours), true)
    }
    var migrated = found
    try migrate(&migrated)
    guard
      let loaded = try? decode(migrated, as: Recorded<Document>.self),
      let reencoded = try? value(of: loaded.value)
    else {
      return (try text(of: ours), true)
    }
    // What a newer version wrote keeps its number.
    let known = versioned(reencoded)
    let kept =
      known.isSame(as: ours)
      ? migrated
      : ThreeWayMerge.keepingUnknown(of: migrated, known: known, use: loaded.use, ours: ours)
    // The same content in another layout, by a person, need not be written.
    if kept.isSame(as: found) { return (file, false) }
    let text = try text(of: kept)
    return (text, try text == self.text(of: ours))
  }

  /// A value with the current version.
  private func versioned(_ value: JSON.Value) -> JSON.Value {
    guard let schema, case .object(var object) = value else { return value }
    object[schemaVersionKey] = .number(JSON.Number(schema.version))
    return .object(object)
  }

  /// The text of any value.
  func text(of value: JSON.Value) throws -> [UInt8] {
    try encoder.encodeToBytes(value) + [UInt8(ascii: "\n")]
  }

  /// Encodes a document to a value.
  func value(of document: some Encodable) throws -> JSON.Value {
    try JSON.Value(parsing: encoder.encodeToBytes(document))
  }

  // MARK: Copies

  /// A copy of a document with another identity, which replaces the old one in its text.
  ///
  /// - Returns: `nil` if the identity is not the value of a key.
  func copy<Document: Codable & Identifiable>(
    _ value: JSON.Value, of document: Document, as id: Document.ID
  ) -> (value: JSON.Value, document: Document)? where Document.ID: Codable {
    guard case .object(let object) = value,
      let old = try? JSON.Value(parsing: encoder.encodeToBytes(document.id)),
      let new = try? JSON.Value(parsing: encoder.encodeToBytes(id))
    else { return nil }
    // The usual key first.
    for key in ["id"] + object.keys where object[key] == old {
      var object = object
      object[key] = new
      let value = JSON.Value.object(object)
      guard let copy = try? decode(text(of: value), as: Document.self), copy.id == id else {
        continue
      }
      return (value, copy)
    }
    return nil
  }
}

extension Error {
  /// Whether only a key is missing.
  fileprivate var isMissingKey: Bool {
    let cause = (self as? NewerVersion)?.cause ?? self
    if case DecodingError.keyNotFound = cause { return true }
    return false
  }
}
