#if Secrets
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SealedFile {
  /// What is left of a store whose file is no JSON any more, without its secrets.
  ///
  /// - Returns: `nil` where the data key is not whole, without which no record is of use, or where
  ///   the store is of a newer format.
  /// - Complexity: O(*n*) in the number of bytes.
  init?(remainsOf bytes: [UInt8], store: String) {
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

  /// Every object with a name, wherever it stands, that can be a record; in a damaged file several
  /// may have one name.
  ///
  /// Nothing is to be believed of one that the data key does not open under this very name and store.
  /// What of a record is not whole becomes one that cannot be opened.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func records(in bytes: [UInt8]) -> [(name: String, secret: SealedSecret)] {
    objects(in: bytes).compactMap { name, object in
      if let secret = try? JSON.Decoder().decode(SealedSecret.self, from: object) {
        return (name, secret)
      }
      if ["key", "secrets", "cost"].contains(name) { return nil }
      return (name, SealedSecret(version: 0, data: Data()))
    }
  }

  /// Every object with a name; one that does not end, or is too deep for this format, is empty.
  private static func objects(in bytes: [UInt8]) -> [(name: String, object: [UInt8])] {
    bytes.indices.compactMap { start in
      guard bytes[start] == UInt8(ascii: "{"), let name = name(before: start, in: bytes) else {
        return nil
      }
      return (name, object(at: start, in: bytes) ?? [])
    }
  }

  /// The first number of a name, where its digits are whole.
  private static func number(named name: String, in bytes: [UInt8]) -> UInt64? {
    let quoted = Array("\"\(name)\"".utf8)
    guard bytes.count > quoted.count else { return nil }
    for start in 0..<bytes.count - quoted.count
    where bytes[start] == quoted[0] && bytes[start...].starts(with: quoted) {
      let rest = bytes[(start + quoted.count)...].drop { " \n\t\r:".utf8.contains($0) }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      // One that the cut goes through is another number.
      guard digits.endIndex < bytes.endIndex else { return nil }
      if let number = UInt64(String(decoding: digits, as: UTF8.self)) { return number }
    }
    return nil
  }

  /// The string before a colon before a place.
  private static func name(before place: Int, in bytes: [UInt8]) -> String? {
    func isWhite(_ byte: UInt8) -> Bool { " \n\t\r".utf8.contains(byte) }
    guard let colon = bytes[..<place].lastIndex(where: { !isWhite($0) }),
      bytes[colon] == UInt8(ascii: ":"),
      let end = bytes[..<colon].lastIndex(where: { !isWhite($0) }), isQuote(end, in: bytes),
      let start = bytes[..<end].indices.last(where: { isQuote($0, in: bytes) })
    else { return nil }
    return try? JSON.Decoder().decode(String.self, from: Array(bytes[start...end]))
  }

  /// Whether a string begins or ends at a place; a quotation mark in a string has a backslash.
  private static func isQuote(_ place: Int, in bytes: [UInt8]) -> Bool {
    guard bytes[place] == UInt8(ascii: "\"") else { return false }
    return bytes[..<place].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }

  /// The object at a place, which has one object in itself at most and no brace in its strings.
  private static func object(at place: Int, in bytes: [UInt8]) -> [UInt8]? {
    var (depth, inner) = (0, 0)
    for index in place..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"):
        (depth, inner) = (depth + 1, inner + 1)
        if depth > 2 || inner > 2 { return nil }
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return Array(bytes[place...index]) }
      default: break
      }
    }
    return nil
  }
}
#endif
