#if Secrets
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SealedFile {
  /// The readable data of a store whose file is not JSON anymore, without its secrets.
  ///
  /// - Returns: `nil` if the data key is incomplete, without which no record can be decrypted, or if
  ///   the store has a newer format.
  /// - Complexity: O(*n*) in the number of bytes.
  init?(recovering bytes: [UInt8], store: String) {
    let format = Self.number(named: "format", in: bytes) ?? UInt64(Self.currentFormat)
    guard format <= UInt64(Self.currentFormat) else { return nil }
    for (name, object) in Self.objects(in: bytes) where name == "key" {
      guard let key = try? JSON.Decoder().decode(WrappedKey.self, from: object) else { continue }
      self.init(
        store: store, generation: Self.number(named: "generation", in: bytes) ?? 0, key: key,
        secrets: [:])
      return
    }
    return nil
  }

  /// Adds the secrets whose names are equal to others as a `String`: a decoder's container has only one
  /// key of them.
  ///
  /// - Parameter bytes: The file from which this was decoded.
  /// - Complexity: O(*n*) in the number of bytes.
  mutating func restoreEqualNames(from bytes: [UInt8]) {
    // ASCII has one form; another character may be escaped.
    guard bytes.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }) else { return }
    for (name, secret) in Self.records(in: bytes)
    where secrets[name] == nil && !secret.data.isEmpty { secrets[name] = secret }
  }

  /// All objects with a name that may be records; in a damaged file several may have one name.
  ///
  /// A record is not trusted until the data key decrypts it under this name and store. An incomplete
  /// record is returned as one that cannot be decrypted.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func records(in bytes: [UInt8]) -> [(name: SecretName, secret: SealedSecret)] {
    objects(in: bytes).compactMap { name, object in
      if let secret = try? JSON.Decoder().decode(SealedSecret.self, from: object) {
        return (SecretName(name), secret)
      }
      if ["key", "secrets", "cost"].contains(name) { return nil }
      return (SecretName(name), SealedSecret(version: 0, data: Data()))
    }
  }

  /// All objects with a name; one that does not end, or is too deep for this format, is empty.
  private static func objects(in bytes: [UInt8]) -> [(name: String, object: [UInt8])] {
    bytes.indices.compactMap { start in
      guard bytes[start] == UInt8(ascii: "{"), let name = name(before: start, in: bytes) else {
        return nil
      }
      return (name, object(at: start, in: bytes) ?? [])
    }
  }

  /// The first number of a name that has complete digits.
  private static func number(named name: String, in bytes: [UInt8]) -> UInt64? {
    let quoted = Array("\"\(name)\"".utf8)
    guard bytes.count > quoted.count else { return nil }
    for start in 0..<bytes.count - quoted.count
    where bytes[start] == quoted[0] && bytes[start...].starts(with: quoted) {
      let rest = bytes[(start + quoted.count)...].drop { " \n\t\r:".utf8.contains($0) }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      // A truncated number is another number.
      guard digits.endIndex < bytes.endIndex else { return nil }
      if let number = UInt64(String(decoding: digits, as: UTF8.self)) { return number }
    }
    return nil
  }

  /// The string before a colon before an offset.
  private static func name(before offset: Int, in bytes: [UInt8]) -> String? {
    func isWhite(_ byte: UInt8) -> Bool { " \n\t\r".utf8.contains(byte) }
    guard let colon = bytes[..<offset].lastIndex(where: { !isWhite($0) }),
      bytes[colon] == UInt8(ascii: ":"),
      let end = bytes[..<colon].lastIndex(where: { !isWhite($0) }), isQuote(end, in: bytes),
      let start = bytes[..<end].indices.last(where: { isQuote($0, in: bytes) })
    else { return nil }
    return try? JSON.Decoder().decode(String.self, from: Array(bytes[start...end]))
  }

  /// Whether a string begins or ends at an offset; a quotation mark in a string has a backslash.
  private static func isQuote(_ offset: Int, in bytes: [UInt8]) -> Bool {
    guard bytes[offset] == UInt8(ascii: "\"") else { return false }
    return bytes[..<offset].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }

  /// The object at an offset, which contains at most one object and no brace in its strings.
  private static func object(at offset: Int, in bytes: [UInt8]) -> [UInt8]? {
    var (depth, inner) = (0, 0)
    for index in offset..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"):
        (depth, inner) = (depth + 1, inner + 1)
        if depth > 2 || inner > 2 { return nil }
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return Array(bytes[offset...index]) }
      default: break
      }
    }
    return nil
  }
}
#endif
