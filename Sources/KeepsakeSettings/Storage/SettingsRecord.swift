import KeepsakeCoding
import KeepsakeFiles

/// What one record of a settings journal says.
///
/// | bytes | |
/// | --- | --- |
/// | 1 | the kind (``Kind``) |
/// | 8 | the journal's number |
/// | 8 | the offset up to which its writer had read the journal |
/// | … | changes, to the end: a flag byte, the key, where flagged a digest, where flagged a value |
///
/// Numbers are little-endian; keys and values are as ``BinaryValue`` writes them.
struct SettingsRecord {
  /// What a record does.
  enum Kind: UInt8 {
    /// Its changes count, unless bytes before it that its writer did not know cannot be read.
    case set
    /// Its changes count if none of its keys changed since its writer read the journal.
    case transaction
    /// The journal ends; the next number's goes on.
    case end
    /// The property list was edited, and all have to read it again.
    case reload
    /// The file is no longer the journal of its name; all go on with the files of the name.
    case moved
    /// The store was removed.
    case removed

    /// Whether nothing behind the record counts.
    var isEnd: Bool { rawValue >= Kind.end.rawValue }
  }

  /// A key of a record, and what becomes of it.
  struct Change {
    var name: SettingsName
    /// The new value; `nil` removes the key.
    var value: PropertyList.Value?
    /// Whether the key was only read.
    var isReadOnly = false
    /// The digest of the value that the key had when the journal began, in its first change since.
    var before: UInt32?
  }

  var kind: Kind
  var generation: UInt64
  var offset: Int64
  var changes: [Change] = []

  private static let hasValue: UInt8 = 1
  private static let hasDigest: UInt8 = 2
  private static let isReadOnly: UInt8 = 4

  /// Begins a record; its changes follow.
  static func begin(
    _ kind: Kind, generation: UInt64, offset: Int64, in bytes: inout ByteBuffer
  ) {
    let start = bytes.extend(by: 17)
    start.storeBytes(of: kind.rawValue, as: UInt8.self)
    start.storeBytes(of: generation.littleEndian, toByteOffset: 1, as: UInt64.self)
    start.storeBytes(of: offset.littleEndian, toByteOffset: 9, as: Int64.self)
  }

  /// Adds a change to a record.
  static func add(
    _ value: PropertyList.Value?, of key: String, before: UInt32?, to bytes: inout ByteBuffer
  ) {
    bytes.append((value == nil ? 0 : hasValue) | (before == nil ? 0 : hasDigest))
    BinaryValue.write(key, into: &bytes)
    if let before { bytes.append(littleEndian: before) }
    if let value { BinaryValue.write(value, into: &bytes) }
  }

  /// Adds a key to a transaction that read it and did not change it.
  static func addRead(of key: String, to bytes: inout ByteBuffer) {
    bytes.append(isReadOnly)
    BinaryValue.write(key, into: &bytes)
  }

}

extension SettingsRecord {
  /// Reads a record; `nil` where it is not one of this version.
  init?(_ payload: UnsafeRawBufferPointer) {
    var reader = BinaryValue.Reader(payload)
    guard let kind = reader.readByte().flatMap(Kind.init),
      let generation: UInt64 = reader.readInteger(),
      let offset: Int64 = reader.readInteger()
    else { return nil }
    self.kind = kind
    self.generation = generation
    self.offset = offset
    while !reader.isAtEnd {
      guard let flags = reader.readByte(), flags < 8, let key = reader.readString() else {
        return nil
      }
      var change = Change(name: SettingsName(key), isReadOnly: flags & Self.isReadOnly != 0)
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
