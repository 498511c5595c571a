import KeepsakeCoding
import KeepsakeFiles

/// One record of a settings journal.
///
/// | bytes | |
/// | --- | --- |
/// | 1 | the kind (``Kind``) |
/// | 8 | the journal's generation |
/// | 8 | the offset up to which its writer had read the journal |
/// | … | of a record of kind `received`: a `SyncLog.Update` as a string of JSON |
/// | … | changes: each a flag byte, the key, a digest and a value if their flags are set |
///
/// Numbers are little-endian; keys and values are in the format of ``BinaryValue``.
struct SettingsRecord {
  /// The effect of a record.
  enum Kind: UInt8 {
    /// Its changes count, unless unreadable bytes that its writer had not read precede it.
    case set
    /// Its changes count if none of its keys changed since its writer read the journal.
    case transaction
    /// Its changes came from other machines, and count as those of a transaction do.
    case received
    /// The journal ends; the next generation continues it.
    case end
    /// The journal ends; the property list was edited, and all processes must read it again.
    case reload
    /// The journal ends; another file has its name, and all processes must open that file.
    case moved
    /// The store was removed.
    case removed
    /// The journal ended, and a power cut has removed its end, and may have removed other records.
    case lost

    /// Whether no record after this one counts.
    var isEnd: Bool { rawValue >= Kind.end.rawValue }
  }

  /// A key of a record, and how it changes.
  struct Change {
    var name: SettingsName
    /// The new value; `nil` removes the key.
    var value: PropertyList.Value?
    /// Whether the key was only read.
    var isReadOnly = false
    /// The digest of the key's value when the journal began; only in its first change since.
    var before: UInt32?
  }

  var kind: Kind
  var generation: UInt64
  var offset: Int64
  var changes: [Change] = []
  /// What came from other machines beside the changes.
  var update: SyncLog.Update?

  private static let hasValue: UInt8 = 1
  private static let hasDigest: UInt8 = 2
  private static let isReadOnly: UInt8 = 4

  /// Begins a record, to which changes are then added.
  static func begin(
    _ kind: Kind, generation: UInt64, offset: Int64, in bytes: inout ByteBuffer
  ) {
    let start = bytes.extend(by: 17)
    start.storeBytes(of: kind.rawValue, as: UInt8.self)
    start.storeBytes(of: generation.littleEndian, toByteOffset: 1, as: UInt64.self)
    start.storeBytes(of: offset.littleEndian, toByteOffset: 9, as: Int64.self)
  }

  /// Adds what came from other machines, before the changes.
  static func add(_ update: SyncLog.Update, to bytes: inout ByteBuffer) {
    BinaryValue.write(update.text, into: &bytes)
  }

  static func add(
    _ value: PropertyList.Value?, of key: String, before: UInt32?, to bytes: inout ByteBuffer
  ) {
    bytes.append((value == nil ? 0 : hasValue) | (before == nil ? 0 : hasDigest))
    BinaryValue.write(key, into: &bytes)
    if let before { bytes.append(littleEndian: before) }
    if let value { BinaryValue.write(value, into: &bytes) }
  }

  /// Adds a key that a transaction read and did not change.
  static func addRead(of key: String, to bytes: inout ByteBuffer) {
    bytes.append(isReadOnly)
    BinaryValue.write(key, into: &bytes)
  }

}

extension SettingsRecord {
  /// Reads a record; `nil` if it is not one of this version.
  init?(_ payload: UnsafeRawBufferPointer) {
    var reader = BinaryValue.Reader(payload)
    guard let kind = reader.readByte().flatMap(Kind.init),
      let generation: UInt64 = reader.readInteger(),
      let offset: Int64 = reader.readInteger()
    else { return nil }
    self.kind = kind
    self.generation = generation
    self.offset = offset
    if kind == .received {
      guard let update = reader.readString().flatMap(SyncLog.Update.init) else { return nil }
      self.update = update
    }
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
