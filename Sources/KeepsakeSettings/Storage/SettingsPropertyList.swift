import KeepsakeCoding
import KeepsakeFiles

/// The property list of a settings file: its values, followed by a comment with the number of the
/// first journal that it does not contain and a checksum, which a manual edit invalidates. Values that
/// several machines share have another comment before it, with their log.
///
/// ```xml
/// </plist>
/// <!-- Keepsake shares: {"origin":"5f…","revision":7,"changes":{"5f…":[…]}} -->
/// <!-- Keepsake: journal 12, checksum 6b2d90f1 -->
/// ```
///
/// Damage to the comment loses no value; damage to a comment before the values could.
enum SettingsPropertyList {
  private static let prefix = Array("<!-- Keepsake: journal ".utf8)
  private static let middle = Array(", checksum ".utf8)
  private static let suffix = Array(" -->\n".utf8)
  private static let logPrefix = Array("<!-- Keepsake shares: ".utf8)

  /// Returns the bytes of a property list.
  ///
  /// - Parameters:
  ///   - entries: The values, in the order of the file.
  ///   - log: What other machines have of the values, if some share them.
  ///   - journal: The number of the first journal that the values do not contain.
  /// - Complexity: O(*n*).
  static func serialize(
    _ entries: some Sequence<(key: String, value: PropertyList.Value)>, log: SyncLog? = nil,
    before journal: UInt64
  ) -> [UInt8] {
    var bytes = PropertyList.serializeXML(sortedEntries: entries)
    if let log {
      // Two hyphens would end the comment.
      let text = log.text.utf8.flatMap { $0 == UInt8(ascii: "-") ? Array("\\u002d".utf8) : [$0] }
      bytes += logPrefix + text + suffix
    }
    bytes += comment(for: journal, checksum(of: bytes[...], journal))
    return bytes
  }

  /// The log in a property list; `nil` if there is none, or a manual edit has damaged it.
  static func log(in bytes: [UInt8]) -> SyncLog? {
    guard let first = logPrefix.first,
      let start = bytes.indices.last(where: {
        bytes[$0] == first && bytes[$0...].starts(with: logPrefix)
      })
    else { return nil }
    let text = bytes[(start + logPrefix.count)...].prefix { $0 != UInt8(ascii: "\n") }
    guard text.count >= suffix.count - 1 else { return nil }
    return SyncLog(String(decoding: text.dropLast(suffix.count - 1), as: UTF8.self))
  }

  private static func comment(for journal: UInt64, _ checksum: UInt32) -> [UInt8] {
    let digits = String(checksum, radix: 16)
    let padding = String(repeating: "0", count: 8 - digits.count)
    return prefix + Array("\(journal)".utf8) + middle + Array((padding + digits).utf8) + suffix
  }

  /// The journal's number in the comment, and whether the checksum matches; `nil` if there is no
  /// such comment.
  static func header(of bytes: [UInt8]) -> (journal: UInt64, isSound: Bool)? {
    let longest = prefix.count + 20 + middle.count + 8 + suffix.count
    let end = bytes.suffix(longest + 16)
    guard
      let start = end.indices.last(where: {
        end[$0] == prefix[0] && end[$0...].starts(with: prefix)
      })
    else { return nil }
    let digits = bytes[(start + prefix.count)...].prefix { (0x30...0x39).contains($0) }
    guard let journal = UInt64(String(decoding: digits, as: UTF8.self)),
      // Larger numbers cannot occur, and the numbers that follow must not overflow.
      (1...UInt64.max / 2).contains(journal)
    else { return nil }
    let expected = comment(for: journal, checksum(of: bytes[..<start], journal))
    return (journal, bytes[start...].elementsEqual(expected))
  }

  private static func checksum(of bytes: ArraySlice<UInt8>, _ journal: UInt64) -> UInt32 {
    var checksum = CRC32C()
    bytes.withUnsafeBytes { checksum.update($0) }
    withUnsafeBytes(of: journal.littleEndian) { checksum.update($0) }
    return checksum.value
  }
}
