#if Secrets
import Crypto
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encrypted store as it stands in its file: JSON with every name, and no secret, in the clear.
struct SealedFile: Codable {
  static let currentFormat = 1

  var format = currentFormat
  /// What the store is called.
  var store: String
  /// Grows with each change.
  var generation: UInt64
  /// The data key, wrapped.
  var key: WrappedKey
  /// The secrets by name.
  var secrets: [String: SealedSecret]
  /// Authenticates all of the above, so that nothing can be left out or put back.
  var seal = Data()

  /// One encrypted secret.
  struct SealedSecret: Codable {
    /// The store's generation when it was encrypted.
    var version: UInt64
    /// Nonce, ciphertext and tag of AES-GCM.
    var data: Data
  }

  // MARK: Secrets

  func open(_ name: String, with dataKey: SymmetricKey) throws(SecretError) -> [UInt8]? {
    guard let secret = secrets[name] else { return nil }
    return try open(secret, as: name, with: dataKey)
  }

  /// A secret that may be kept under a name.
  func open(
    _ secret: SealedSecret, as name: String, with dataKey: SymmetricKey
  ) throws(SecretError) -> [UInt8] {
    do {
      let box = try AES.GCM.SealedBox(combined: secret.data)
      let context = context(of: name, version: secret.version)
      return Array(try AES.GCM.open(box, using: dataKey, authenticating: context))
    } catch {
      throw SecretError(
        .damaged, "the secret was damaged or changed by someone else; it is kept as it is",
        name: name)
    }
  }

  mutating func seal(
    _ bytes: [UInt8], as name: String, with dataKey: SymmetricKey
  ) throws(SecretError) {
    do {
      let context = context(of: name, version: generation)
      let box = try AES.GCM.seal(bytes, using: dataKey, authenticating: context)
      // The nonce has its usual size, so that there is a combined form.
      secrets[name] = SealedSecret(version: generation, data: box.combined!)
    } catch {
      throw SecretError(.notWritten, "the secret cannot be encrypted", name: name, cause: error)
    }
  }

  private func context(of name: String, version: UInt64) -> [UInt8] {
    var context = Transcript("keepsake secret 1")
    context.append(store)
    context.append(name)
    context.append(version)
    return context.bytes
  }

  // MARK: The whole

  mutating func renewSeal(with dataKey: SymmetricKey) {
    let code = HMAC<SHA256>.authenticationCode(for: transcript(), using: Self.sealKey(dataKey))
    seal = Data(code)
  }

  func isSealed(with dataKey: SymmetricKey) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(
      seal, authenticating: transcript(), using: Self.sealKey(dataKey))
  }

  private static func sealKey(_ dataKey: SymmetricKey) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: dataKey, info: Array("keepsake seal 1".utf8), outputByteCount: 32)
  }

  private func transcript() -> [UInt8] {
    var transcript = Transcript("keepsake secrets file 1")
    transcript.append(UInt64(bitPattern: Int64(format)))
    transcript.append(store)
    transcript.append(generation)
    transcript.append(key.header(of: store))
    transcript.append(key.wrapped)
    // By bytes: strings that look the same are two names.
    let sorted = secrets.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (name, secret) in sorted {
      transcript.append(name)
      transcript.append(secret.version)
      transcript.append(secret.data)
    }
    return transcript.bytes
  }
}
#endif
