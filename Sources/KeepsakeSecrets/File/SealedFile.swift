#if Secrets
import Crypto
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of an encrypted store's file: JSON with all names, and no secret, in the clear.
struct SealedFile: Codable {
  static let currentFormat = 1

  var format = currentFormat
  /// The store's identifier.
  var store: String
  /// Grows with each change.
  var generation: UInt64
  /// The data key, wrapped.
  var key: WrappedKey
  /// The secrets by name.
  var secrets: [SecretName: SealedSecret]
  /// Authenticates all of the above, so that nothing can be omitted or replaced by something older.
  var seal = Data()

  /// One encrypted secret.
  struct SealedSecret: Codable {
    /// The store's generation when it was encrypted.
    var version: UInt64
    /// Nonce, ciphertext and tag of AES-GCM.
    var data: Data
  }

  // MARK: Secrets

  func open(_ name: SecretName, with dataKey: SymmetricKey) throws(SecretError) -> [UInt8]? {
    guard let secret = secrets[name] else { return nil }
    return try open(secret, as: name, with: dataKey)
  }

  /// Decrypts a record as a secret of a name.
  func open(
    _ secret: SealedSecret, as name: SecretName, with dataKey: SymmetricKey
  ) throws(SecretError) -> [UInt8] {
    do {
      let box = try AES.GCM.SealedBox(combined: secret.data)
      let context = context(of: name, version: secret.version)
      return Array(try AES.GCM.open(box, using: dataKey, authenticating: context))
    } catch {
      throw SecretError(
        .damaged, "the secret was damaged or changed by someone else; it is kept unchanged",
        name: name.string)
    }
  }

  mutating func seal(
    _ bytes: [UInt8], as name: SecretName, with dataKey: SymmetricKey
  ) throws(SecretError) {
    do {
      let context = context(of: name, version: generation)
      let box = try AES.GCM.seal(bytes, using: dataKey, authenticating: context)
      // The nonce has its usual size, so that there is a combined form.
      secrets[name] = SealedSecret(version: generation, data: box.combined!)
    } catch {
      throw SecretError(
        .notWritten, "the secret cannot be encrypted", name: name.string, cause: error)
    }
  }

  /// The name under which a record was encrypted: a name that is found with it, or another Unicode
  /// form of that.
  ///
  /// Earlier versions wrote a secret under the name of another one that is equal as a `String`.
  func name(
    of secret: SealedSecret, foundAs name: SecretName, with dataKey: SymmetricKey
  ) -> SecretName? {
    func isRight(_ name: SecretName) -> Bool { (try? open(secret, as: name, with: dataKey)) != nil }
    return isRight(name) ? name : name.otherForms.first(where: isRight)
  }

  /// Moves each secret to the name under which it was encrypted.
  ///
  /// - Complexity: O(*n*) in the size of the secrets whose names are not ASCII.
  mutating func restoreNames(with dataKey: SymmetricKey) {
    for (found, secret) in secrets where !found.isASCII {
      guard let name = name(of: secret, foundAs: found, with: dataKey), name != found,
        secrets[name] == nil
      else { continue }
      secrets[found] = nil
      secrets[name] = secret
    }
  }

  private func context(of name: SecretName, version: UInt64) -> [UInt8] {
    var context = Transcript("keepsake secret 1")
    context.append(store)
    context.append(name.string)
    context.append(version)
    return context.bytes
  }

  // MARK: The seal

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
    for (name, secret) in secrets.sorted(by: { $0.key < $1.key }) {
      transcript.append(name.string)
      transcript.append(secret.version)
      transcript.append(secret.data)
    }
    return transcript.bytes
  }
}
#endif
