import KeepsakeCoding
import KeepsakeFiles

/// What one record of a settings journal says.
///
/// | bytes | |
/// | --- | --- |
/// | 1 | 0 where no base follows, 1 where one does, 2 where one does that has all that the journal before this one said |
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
  /// Whether the base is what the journal before this one made of the base before it.
  var isFold = false
  var changes: [Change]

  private static let hasValue: UInt8 = 1
  private static let hasDigest: UInt8 = 2

  static func write(base: Fingerprint?, isFold: Bool = false, into bytes: inout ByteBuffer) {
    bytes.append(base == nil ? 0 as UInt8 : isFold ? 2 : 1)
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
    guard let kind = reader.readByte(), kind <= 2 else { return nil }
    changes = []
    isFold = kind == 2
    if kind > 0 {
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

extension [SettingsRecord] {
  /// The changes of a journal that count on top of a property list.
  ///
  /// Where the property list is the one that the journal builds on, that is every change after the
  /// record that says so. Where it is another one, either the journal's changes are in it already,
  /// or a person edited it and no program has heard of it: a value that the journal never knew was
  /// edited, and counts; of every other key the journal's last value does.
  ///
  /// - Parameters:
  ///   - base: What the property list says.
  ///   - fingerprint: The property list's.
  ///   - favoringJournal: Whether what the journal says of a key always counts, for what the
  ///     property list says may be what is left of it.
  /// - Returns: The last change of each key, and whether the journal builds on the property list.
  func changes(
    on base: [String: PropertyList.Value], _ fingerprint: Fingerprint, favoringJournal: Bool = false
  ) -> (changes: NameTable<PropertyList.Value?>, isCurrent: Bool) {
    var changes = NameTable<PropertyList.Value?>()
    if let start = lastIndex(where: { $0.base == fingerprint }) {
      for change in self[start...].lazy.flatMap(\.changes) {
        changes.set(change.value, for: SettingsName(change.key))
      }
      return (changes, true)
    }
    var known: [String: (digests: Set<UInt32>, last: PropertyList.Value?)] = [:]
    for change in lazy.flatMap(\.changes) {
      var digests = known[change.key]?.digests ?? []
      if let before = change.before { digests.insert(before) }
      digests.insert(BinaryValue.digest(of: change.value))
      known[change.key] = (digests, change.value)
    }
    for (key, journaled) in known
    where favoringJournal || journaled.digests.contains(BinaryValue.digest(of: base[key])) {
      changes.set(journaled.last, for: SettingsName(key))
    }
    return (changes, false)
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
