#if Secrets
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A property that is encrypted in whatever its value is encoded to.
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
/// Any encoder and decoder will do, as long as their `userInfo` holds the key; without it they
/// throw, and nothing is written in the clear. It is encoded as a string: Base64 of what AES-GCM
/// makes of the value's JSON. A value that was decoded or encoded before keeps its text until it or its
/// key changes, and so who can read two versions of a file sees whether the value is another; equal
/// values have different texts. It is bound to its key, not to its place: whoever can write the file
/// can put one encrypted value in the place of another of the same key.
///
/// In descriptions and dumps the value is not shown.
@propertyWrapper
public struct Encrypted<Value> {
  /// The value, in the clear.
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
  /// Whether the values are equal, however they are encrypted.
  public static func == (a: Self, b: Self) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Encrypted: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Encrypted: Encodable where Value: Encodable {
  /// Encrypts the value with the key in the encoder's `userInfo`.
  ///
  /// - Throws: `EncodingError` where there is no key or the value cannot be encoded; the error holds
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
      let bytes = try inner.encodeBytes(wrappedValue)
      text = try sealed.update { last in
        if let last, let data = Data(base64Encoded: last), key.isNewest(Array(data), of: bytes) {
          return last
        }
        return try Data(key.seal(bytes)).base64EncodedString()
      }
    } catch {
      // The error below may hold the value.
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
  /// - Throws: `DecodingError` where there is no key, or it is not the one, or the value is of
  ///   another type; the error holds nothing of the value.
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
      // The error below shows an excerpt of the value.
      throw undecodable("the encrypted value is no \(Value.self)")
    }
    sealed = SealedText(text)
  }
}

/// What cannot be decrypted may be in order, and the key a wrong one.
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
  /// An encrypted optional is `nil` where its key is missing, as a plain one is.
  public func decode<Value: Decodable>(
    _ type: Encrypted<Value?>.Type, forKey key: Key
  ) throws -> Encrypted<Value?> {
    try decodeIfPresent(type, forKey: key) ?? Encrypted(wrappedValue: nil)
  }
}
#endif
