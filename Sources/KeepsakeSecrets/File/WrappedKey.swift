#if Secrets
import Crypto
import CryptoExtras
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store's data key, encrypted with the key that the user has.
struct WrappedKey: Codable {
  /// What the wrapping key is made from.
  enum Kind: String, Codable {
    case keyFile, credential, passphrase
  }

  var kind: Kind
  var salt: Data
  /// For a passphrase alone.
  var cost: ScryptCost?
  /// Nonce, ciphertext and tag of AES-GCM.
  var wrapped = Data()

  /// What the wrapped key is bound to.
  func header(of store: String) -> [UInt8] {
    var header = Transcript("keepsake data key 1")
    header.append(store)
    header.append(kind.rawValue)
    header.append(salt)
    if let cost {
      header.append(UInt64(cost.rounds))
      header.append(UInt64(cost.blockSize))
      header.append(UInt64(cost.parallelism))
    }
    return header.bytes
  }

  /// An entry for a key that wraps nothing yet.
  init(for key: SecretsKey) {
    var random = SystemRandomNumberGenerator()
    salt = Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    switch key.source {
    case .file: kind = .keyFile
    case .credential: kind = .credential
    case .passphrase(_, let cost):
      kind = .passphrase
      self.cost = cost
    }
  }

  mutating func wrap(
    _ dataKey: SymmetricKey, of store: String, with wrappingKey: SymmetricKey
  ) throws(SecretError) {
    do {
      let bytes = dataKey.withUnsafeBytes { Array($0) }
      let box = try AES.GCM.seal(bytes, using: wrappingKey, authenticating: header(of: store))
      wrapped = box.combined!
    } catch {
      throw SecretError(.notWritten, "the data key cannot be encrypted", cause: error)
    }
  }

  func unwrap(of store: String, with wrappingKey: SymmetricKey) -> SymmetricKey? {
    guard let box = try? AES.GCM.SealedBox(combined: wrapped),
      let bytes = try? AES.GCM.open(box, using: wrappingKey, authenticating: header(of: store)),
      bytes.count == 32
    else { return nil }
    return SymmetricKey(data: bytes)
  }

  /// Makes the wrapping key from what the user has.
  ///
  /// - Complexity: As much time and memory as the cost of a passphrase asks for.
  func wrappingKey(
    from key: SecretsKey, in files: any FileSystem
  ) throws(SecretError) -> SymmetricKey {
    switch (kind, key.source) {
    case (.passphrase, .passphrase(let words, _)):
      guard let cost, cost.isUsable else {
        throw SecretError(.damaged, "the cost of the passphrase is none that scrypt has")
      }
      do {
        return try KDF.Scrypt.deriveKey(
          from: Array(words.utf8), salt: salt, outputByteCount: 32, rounds: cost.rounds,
          blockSize: cost.blockSize, parallelism: cost.parallelism)
      } catch {
        throw SecretError(.keyUnavailable, "scrypt failed", cause: error)
      }
    case (.keyFile, .file(let path)):
      return try derive(from: KeyMaterial.read(keyFile: path, in: files))
    case (.credential, .credential(let name, let directory)):
      return try derive(from: KeyMaterial.read(credential: name, directory: directory, in: files))
    default:
      throw SecretError(
        .wrongKey, "the store is opened by another kind of key (\(kind.rawValue)) than \(key)")
    }
  }

  private func derive(from material: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: material), salt: salt,
      info: Array("keepsake wrapping key 1".utf8), outputByteCount: 32)
  }
}
#endif
