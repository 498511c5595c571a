#if Secrets
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A key that encrypts values in documents, created and kept by a ``SecretStore``.
///
/// It has generations: the newest encrypts, all decrypt. Descriptions and dumps show nothing of it.
public struct EncryptionKey: Sendable {
  /// One generation, as a store keeps it.
  struct Generation: Codable {
    var id: UInt32
    var bytes: Data

    init(id: UInt32) {
      self.id = id
      bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    }
  }

  /// The generations, the newest last.
  private let generations: [(id: UInt32, key: SymmetricKey)]

  init(_ generations: [Generation]) {
    precondition(!generations.isEmpty)
    self.generations = generations.map { ($0.id, SymmetricKey(data: $0.bytes)) }
  }

  private static let format: UInt8 = 1
  private static let headerCount = 5

  private func header(_ id: UInt32) -> [UInt8] {
    [Self.format] + withUnsafeBytes(of: id.bigEndian) { Array($0) }
  }

  /// Encrypts bytes with AES-GCM and a random nonce.
  ///
  /// - Returns: A format number, the key's generation, the nonce, the ciphertext and the tag; 33
  ///   bytes more than the argument.
  func seal(_ bytes: [UInt8]) throws -> [UInt8] {
    let (id, key) = generations.last!
    let header = header(id)
    let box = try AES.GCM.seal(bytes, using: key, authenticating: header)
    return header + box.combined!
  }

  /// Whether the newest generation encrypted some bytes as others.
  func isNewest(_ sealed: [UInt8], of bytes: [UInt8]) -> Bool {
    guard sealed.starts(with: header(generations.last!.id)) else { return false }
    return (try? open(sealed)) == bytes
  }

  /// Decrypts bytes that any generation encrypted.
  ///
  /// - Throws: ``SecretError`` if the bytes were encrypted with another key, or changed.
  func open(_ bytes: [UInt8]) throws(SecretError) -> [UInt8] {
    guard bytes.count > Self.headerCount, bytes[0] == Self.format else {
      throw SecretError(.damaged, "this is not an encrypted value, or one of a newer version")
    }
    let header = bytes.prefix(Self.headerCount)
    let id = header.dropFirst().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard let key = generations.last(where: { $0.id == id })?.key else {
      throw SecretError(.wrongKey, "the value was encrypted with another key")
    }
    do {
      let box = try AES.GCM.SealedBox(combined: bytes.dropFirst(Self.headerCount))
      return Array(try AES.GCM.open(box, using: key, authenticating: header))
    } catch {
      throw SecretError(.damaged, "the encrypted value was damaged or changed")
    }
  }
}

extension EncryptionKey: CustomStringConvertible, CustomReflectable {
  /// Nothing of the key.
  public var description: String { "EncryptionKey(…)" }

  /// No children: a dump shows nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CodingUserInfoKey {
  /// The key of `userInfo` for the ``EncryptionKey`` of ``Encrypted`` values.
  public static let encryptionKey = CodingUserInfoKey(rawValue: "keepsake.encryptionKey")!
}

extension SecretStore {
  /// The encryption key of a name, which the first call creates and keeps.
  ///
  /// - Throws: ``SecretError`` if it cannot be read or kept.
  public func encryptionKey(named name: String) throws -> EncryptionKey {
    let secret = Self.secretName(ofKey: name)
    if let known: [EncryptionKey.Generation] = try value(for: secret), !known.isEmpty {
      return EncryptionKey(known)
    }
    return try addGeneration(to: secret, onlyIfMissing: true)
  }

  /// Adds a generation to a key, which encrypts from now on; the older ones still decrypt.
  ///
  /// - Throws: ``SecretError`` if it cannot be read or kept.
  public func rotateEncryptionKey(named name: String) throws -> EncryptionKey {
    try addGeneration(to: Self.secretName(ofKey: name), onlyIfMissing: false)
  }

  private func addGeneration(to secret: String, onlyIfMissing: Bool) throws -> EncryptionKey {
    try transaction { secrets in
      var generations: [EncryptionKey.Generation] = try secrets.value(for: secret) ?? []
      if generations.isEmpty || !onlyIfMissing {
        generations.append(.init(id: (generations.map(\.id).max() ?? 0) + 1))
        try secrets.set(generations, for: secret)
      }
      return EncryptionKey(generations)
    }
  }

  private static func secretName(ofKey name: String) -> String { "encryption-key/\(name)" }
}
#endif
