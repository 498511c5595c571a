/// Where the keys of one object are, if they are sorted by their bytes.
///
/// A type that asks for its fields in the order in which it names them asks a text with sorted keys
/// at random, and each question would look at half of the keys. To look at all of them once costs
/// as much as two questions. Each is then answered from where the key was in the last object, which
/// may have had some keys more or less. That the keys are sorted shows that none is there twice.
struct KeyDirectory {
  /// The most keys that are listed.
  private static let capacity = Tape.tableThreshold
  /// Of fewer keys each is looked at.
  private static let least = 4
  /// Keys with a higher byte are looked for from the first position on.
  private static let positionCount = 64

  private struct Entry {
    /// The first eight bytes of the key.
    var head: UInt64
    var index: UInt32
  }

  private let entries: UnsafeMutablePointer<Entry>
  /// Where a key was, by its byte.
  private let positions: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var state = State.unknown

  private enum State {
    case unknown, sorted, unsorted
  }

  init() {
    entries = .allocate(capacity: Self.capacity)
    positions = .allocate(capacity: Self.positionCount)
    positions.initialize(repeating: 0, count: Self.positionCount)
  }

  func free() {
    entries.deallocate()
    positions.deallocate()
  }

  /// Ends what is known of an object.
  @inline(__always) mutating func forget() { state = .unknown }

  /// The index of a key's value; -1 if the object has no such key, `nil` if that is not known.
  ///
  /// - Parameters:
  ///   - name: The key's text.
  ///   - byte: What tells the key from others of its type.
  @inline(__always)
  mutating func find(
    _ name: UnsafeBufferPointer<UInt8>, _ byte: Int, of object: Int, in tape: borrowing Tape
  ) -> Int? {
    if state == .unknown { list(object, in: tape) }
    guard state == .sorted else { return nil }
    let head = Self.head(of: name)
    var position = byte < Self.positionCount ? min(Int(positions[byte]), count &- 1) : 0
    while position > 0, entries[position &- 1].head >= head { position &-= 1 }
    while position < count, entries[position].head < head { position &+= 1 }
    while position < count, entries[position].head == head {
      let key = Int(entries[position].index)
      if tape.isKey(key, name) {
        if byte < Self.positionCount { positions[byte] = UInt8(truncatingIfNeeded: position) }
        return tape.value(ofKey: key)
      }
      position &+= 1
    }
    return -1
  }

  @inline(never)
  private mutating func list(_ object: Int, in tape: borrowing Tape) {
    state = .unsorted
    count = tape.elementCount(object)
    guard (Self.least...Self.capacity).contains(count) else { return }
    var key = object + Tape.objectHeader
    for position in 0..<count {
      guard let head = tape.head(ofKey: key) else { return }
      if position > 0 {
        let last = entries[position - 1]
        guard last.head < head || last.head == head && tape.precedes(Int(last.index), key)
        else { return }
      }
      (entries + position).initialize(to: Entry(head: head, index: UInt32(truncatingIfNeeded: key)))
      key = tape.next(tape.value(ofKey: key))
    }
    state = .sorted
  }

  /// The first eight bytes of a name as a number that sorts as they do.
  @inline(__always)
  private static func head(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if name.count >= 8 {
      return UInt64(bigEndian: UnsafeRawBufferPointer(name).loadUnaligned(as: UInt64.self))
    }
    var head: UInt64 = 0
    for (index, byte) in name.enumerated() { head |= UInt64(byte) &<< (56 &- index &* 8) }
    return head
  }
}
