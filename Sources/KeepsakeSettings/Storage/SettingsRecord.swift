import KeepsakeCoding
import KeepsakeFiles

/// What one record of a settings journal says.
///
/// | bytes | |
/// | --- | --- |
/// | 1 | 1 where a base follows, else 0 |
/// | 8 | the base: the fingerprint of the property list that this record, and those after it, build on |
/// | … | changes, to the end: a flag byte, the key, where flagged a digest, where flagged a value |
///
/// Numbers are little-endian; keys and values are as ``BinaryValue`` writes them.
struct SettingsRecord {
  /// A change of one value.
  struct Change {
    var key: String
    /// The new value; `nil` removes the key.
    var value: PropertyList.Value?
    /// The digest of the value in the property list, in the first change of a key since then.
    var before: UInt32?
  }

  var base: Fingerprint?
  var changes: [Change]

  private static let hasValue: UInt8 = 1
  private static let hasDigest: UInt8 = 2

  static func write(base: Fingerprint?, into bytes: inout ByteBuffer) {
    bytes.append(base == nil ? 0 as UInt8 : 1)
    if let base { bytes.append(littleEndian: base.bits) }
  }

  static func write(
    _ value: PropertyList.Value?, of key: String, before: UInt32?, into bytes: inout ByteBuffer
  ) {
    bytes.append((value == nil ? 0 : hasValue) | (before == nil ? 0 : hasDigest))
    BinaryValue.write(key, into: &bytes)
    if let before { bytes.append(littleEndian: before) }
    if let value { BinaryValue.write(value, into: &bytes) }
  }

  /// Reads a record; `nil` where it is none of this version.
  init?(_ payload: UnsafeRawBufferPointer) {
    var reader = BinaryValue.Reader(payload)
    guard let kind = reader.readByte(), kind <= 1 else { return nil }
    changes = []
    if kind == 1 {
      guard let bits: UInt64 = reader.readInteger() else { return nil }
      base = Fingerprint(bits: bits)
    }
    while !reader.isAtEnd {
      guard let flags = reader.readByte(), let key = reader.readString() else { return nil }
      var change = Change(key: key)
      if flags & Self.hasDigest != 0 {
        guard let digest: UInt32 = reader.readInteger() else { return nil }
        change.before = digest
      }
      if flags & Self.hasValue != 0 {
        guard let value = reader.readValue() else { return nil }
        change.value = value
      }
      changes.append(change)
    }
  }
}

/// What tells one content of a property list from another: its checksum and its size.
struct Fingerprint: Hashable {
  var bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  /// The fingerprint of a file's bytes, or of no file.
  init(of bytes: [UInt8]?) {
    guard let bytes else {
      bits = 0
      return
    }
    let checksum = bytes.withUnsafeBytes { CRC32C.of($0) }
    bits = UInt64(checksum) << 32 | UInt64(UInt32(truncatingIfNeeded: bytes.count))
  }
}
