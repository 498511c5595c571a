import KeepsakeCoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SealedFile {
  /// What is left of a store whose file is no JSON any more: cut short, or damaged between records.
  ///
  /// Every object with a name is taken for a record, wherever it stands: nothing is believed of one
  /// that the data key does not open under this very name and store. What of a record is not whole
  /// becomes one that cannot be opened.
  ///
  /// - Returns: `nil` where the data key is not whole, without which no record is of use, or where
  ///   the store is of a newer format.
  /// - Complexity: O(*n*) in the number of bytes.
  init?(remainsOf bytes: [UInt8], store: String) {
    let decoder = JSON.Decoder()
    var key: WrappedKey?
    var secrets: [String: SealedSecret] = [:]
    for start in bytes.indices where bytes[start] == UInt8(ascii: "{") {
      guard let name = Self.name(before: start, in: bytes) else { continue }
      let object = Self.object(at: start, in: bytes)
      if let object, let secret = try? decoder.decode(SealedSecret.self, from: object) {
        secrets[name] = secret
      } else if let object, key == nil, name == "key" {
        key = try? decoder.decode(WrappedKey.self, from: object)
      } else if secrets[name] == nil, !["key", "secrets", "cost"].contains(name) {
        secrets[name] = SealedSecret(version: 0, data: Data())
      }
    }
    let format = Self.number(named: "format", in: bytes) ?? UInt64(Self.currentFormat)
    guard let key, format <= UInt64(Self.currentFormat) else { return nil }
    self.init(
      store: store, generation: Self.number(named: "generation", in: bytes) ?? 0, key: key,
      secrets: secrets)
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
