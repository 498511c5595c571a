#if Secrets
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property that is encrypted when it is encoded.
///
/// ```swift
/// struct Customer: Codable {
///   var name: String
///   @Encrypted var accessKey: String
/// }
///
/// let encoder = JSON.Encoder()
/// encoder.userInfo[.encryptionKey] = try secrets.encryptionKey(named: "customers")
/// ```
///
/// Any encoder and decoder whose `userInfo` contains the key can be used; without the key they throw,
/// and nothing is written in the clear. The value is encoded as a string: the Base64 of its JSON,
/// encrypted with AES-GCM. A value that was decoded or encoded before keeps its text until it or its
/// key changes, so two versions of a file show whether the value changed; equal values have different
/// texts. The value is bound to its key, not to its position: anyone who can write the file can
/// exchange two encrypted values of one key.
///
/// Descriptions and dumps do not show the value.
@propertyWrapper
public struct Encrypted<Value> {
  /// The value in the clear.
  public var wrappedValue: Value {
    didSet { sealed = sealed.copy() }
  }

  private var sealed = SealedText()

  /// Wraps a value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }
}

extension Encrypted: Sendable where Value: Sendable {}

extension Encrypted: Equatable where Value: Equatable {
  /// Whether the values are equal; their encrypted texts may differ.
  public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Encrypted: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Encrypted: Encodable where Value: Encodable {
  /// Encrypts the value with the key in the encoder's `userInfo`.
  ///
  /// - Throws: `EncodingError` if there is no key or the value cannot be encoded; the error contains
  ///   nothing of the value.
  public func encode(to encoder: any Encoder) throws {
    let key = encoder.userInfo[.encryptionKey] as? EncryptionKey
    guard let key else {
      let reason = "no encryption key is in userInfo"
      throw unencodable(reason, encoder, SecretError(.keyUnavailable, reason))
    }
    let text: String
    do {
      let inner = JSON.Encoder()
      inner.outputFormatting = .sortedKeys
      inner.userInfo[.encryptionKey] = key
      let bytes = try inner.encodeToBytes(wrappedValue)
      text = try sealed.update { last in
        if let last, let data = Data(base64Encoded: last), key.isNewest(Array(data), of: bytes) {
          return last
        }
        return try Data(key.seal(bytes)).base64EncodedString()
      }
    } catch {
      // The underlying error may contain the value.
      throw unencodable("the value cannot be encoded or encrypted", encoder)
    }
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  private func unencodable(
    _ reason: String, _ encoder: any Encoder, _ cause: (any Error)? = nil
  ) -> EncodingError {
    .invalidValue(
      "an encrypted \(Value.self)",
      EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: reason, underlyingError: cause))
  }
}

extension Encrypted: Decodable where Value: Decodable {
  /// Decrypts a value with the key in the decoder's `userInfo`.
  ///
  /// - Throws: `DecodingError` if the key is missing or another one, or if the value is of another
  ///   type; the error contains nothing of the value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func undecodable(_ reason: String, _ cause: (any Error)? = nil) -> DecodingError {
      .dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: reason, underlyingError: cause))
    }
    guard let key = decoder.userInfo[.encryptionKey] as? EncryptionKey else {
      let reason = "no encryption key is in userInfo"
      throw undecodable(reason, SecretError(.keyUnavailable, reason))
    }
    let text = try container.decode(String.self)
    guard let data = Data(base64Encoded: text) else {
      throw undecodable("an encrypted value is Base64")
    }
    let bytes: [UInt8]
    do {
      bytes = try key.open(Array(data))
    } catch {
      throw undecodable(error.message, error)
    }
    do {
      let inner = JSON.Decoder()
      inner.userInfo[.encryptionKey] = key
      wrappedValue = try inner.decode(Value.self, from: bytes)
    } catch {
      // The underlying error contains an excerpt of the value.
      throw undecodable("the encrypted value cannot be decoded as \(Value.self)")
    }
    sealed = SealedText(text)
  }
}

/// A value that cannot be decrypted may be intact, and the key the wrong one.
extension SecretError: DecodingObstacle {}

extension Encrypted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Nothing of the value.
  public var description: String { "Encrypted(…)" }

  /// Nothing of the value.
  public var debugDescription: String { description }

  /// No children: a dump shows nothing of the value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension KeyedDecodingContainer {
  /// Decodes an encrypted optional, which is `nil` if its key is missing, as a plain one is.
  public func decode<Value: Decodable>(
    _ type: Encrypted<Value?>.Type, forKey key: Key
  ) throws -> Encrypted<Value?> {
    try decodeIfPresent(type, forKey: key) ?? Encrypted(wrappedValue: nil)
  }
}
#endif
