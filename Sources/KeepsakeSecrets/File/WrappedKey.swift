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

/// A store's data key, encrypted with a key that is derived from the user's key.
struct WrappedKey: Codable {
  /// The kind of the user's key.
  enum Kind: String, Codable {
    case keyFile, credential, passphrase
  }

  var kind: Kind
  var salt: Data
  /// Only for a passphrase.
  var cost: SecretsKey.ScryptCost?
  /// Nonce, ciphertext and tag of AES-GCM.
  var wrapped = Data()

  /// The bytes that are authenticated with the wrapped key.
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

  /// Creates an entry with a new salt, without a data key.
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

  /// Derives the wrapping key from the user's key.
  ///
  /// - Complexity: For a passphrase, the time and memory of its cost.
  func wrappingKey(
    from key: SecretsKey, in files: any FileSystem
  ) throws(SecretError) -> SymmetricKey {
    switch (kind, key.source) {
    case (.passphrase, .passphrase(let words, _)):
      guard let cost, cost.isUsable else {
        throw SecretError(
          .damaged, "the file requests a cost of the passphrase that is not permitted")
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
        .wrongKey, "the store requires another kind of key (\(kind.rawValue)) than \(key)")
    }
  }

  private func derive(from material: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: material), salt: salt,
      info: Array("keepsake wrapping key 1".utf8), outputByteCount: 32)
  }
}
#endif
