import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values to be written: a tree in a row of records, to which values can be added anywhere and in
/// any order, as an encoder's containers allow.
///
/// Every writer of property lists writes records; JSON needs them for containers that are used in
/// another order than that of the text. ``free()`` ends them.
struct Records {
  enum Kind: UInt8 {
    /// Nothing yet, which is written as an empty dictionary.
    case none
    case `false`, `true`, integer, unsigned, real, single, date, data, string, array, dictionary
    /// A value that is written already, as JSON.
    case text
  }

  /// A value, and the key that it has if it is in a dictionary.
  struct Record {
    var kind = Kind.none
    private var traits: UInt8 = 0b11
    /// How many containers it is in.
    var depth: UInt16 = 0
    /// Where the key stands in the heap; in an array, the index among the elements.
    var key: UInt32 = 0
    var keyLength: UInt32 = 0
    /// The record around this one.
    var parent: UInt32 = 0
    /// The record after this one in the same container; 0 if it is the last.
    var next: UInt32 = 0
    /// The number of elements, or of bytes of JSON.
    var count: UInt32 = 0
    /// The first bytes of the key, the first one highest: where they differ, they order keys.
    var prefix: UInt64 = 0
    /// A number's bits; where text stands in the heap and, above it, its length; the first
    /// element and, above it, the last; an index of `datas`; where JSON stands in its buffer.
    var payload: UInt64 = 0

    var isKeyASCII: Bool {
      @inline(__always) get { traits & 1 != 0 }
      @inline(__always) set { traits = newValue ? traits | 1 : traits & ~1 }
    }

    var isTextASCII: Bool {
      @inline(__always) get { traits & 2 != 0 }
      @inline(__always) set { traits = newValue ? traits | 2 : traits & ~2 }
    }
  }

  private(set) var records: UnsafeMutablePointer<Record>
  private(set) var count = 0
  private var capacity = 128
  /// Text; eight bytes after it can be loaded together wherever it ends.
  private(set) var heap: UnsafeMutablePointer<UInt8>
  private(set) var heapCount = 0
  private var heapCapacity = 2048
  /// Behind a pointer, as records with a reference in them would be slower to use.
  private let datas: UnsafeMutablePointer<[Data]>

  init() {
    records = .allocate(capacity: capacity)
    heap = .allocate(capacity: heapCapacity + 8)
    datas = .allocate(capacity: 1)
    datas.initialize(to: [])
    _ = add(to: 0)
  }

  func free() {
    records.deallocate()
    heap.deallocate()
    datas.deinitialize(count: 1)
    datas.deallocate()
  }
}

extension Records {
  // MARK: Adding

  /// Adds a record, which ``link(_:)`` makes an element of another.
  @inline(__always)
  mutating func add(to parent: Int) -> Int {
    if count == capacity { growRecords() }
    var record = Record()
    record.parent = UInt32(truncatingIfNeeded: parent)
    record.depth = count > 0 ? records[parent].depth &+ 1 : 0
    (records + count).initialize(to: record)
    count &+= 1
    return count &- 1
  }

  /// Adds a record with a key.
  @inline(__always)
  mutating func add(to parent: Int, key: String) -> Int {
    var key = key
    return key.withUTF8 { add(to: parent, key: $0) }
  }

  /// Adds a record with a key in UTF-8.
  @inline(__always)
  mutating func add(to parent: Int, key: UnsafeBufferPointer<UInt8>) -> Int {
    let (offset, traits) = append(key)
    let record = add(to: parent)
    records[record].key = UInt32(truncatingIfNeeded: offset)
    records[record].keyLength = UInt32(truncatingIfNeeded: key.count)
    records[record].isKeyASCII = traits.isASCII
    records[record].prefix = traits.firstWord.bigEndian
    return record
  }

  /// Adds a record with the key that another record has.
  @inline(__always)
  mutating func add(to parent: Int, keyOf other: Int) -> Int {
    let record = add(to: parent)
    records[record].key = records[other].key
    records[record].keyLength = records[other].keyLength
    records[record].isKeyASCII = records[other].isKeyASCII
    records[record].prefix = records[other].prefix
    return record
  }

  /// Adds a record for an array's next element.
  @inline(__always)
  mutating func addElement(to parent: Int) -> Int {
    let record = add(to: parent)
    records[record].key = records[parent].count
    return record
  }

  /// Makes a record the last element of its container.
  @inline(__always)
  mutating func link(_ record: Int) {
    let parent = Int(records[record].parent)
    let payload = records[parent].payload
    if records[parent].count == 0 {
      records[parent].payload = UInt64(record) | UInt64(record) << 32
    } else {
      records[Int(payload >> 32)].next = UInt32(truncatingIfNeeded: record)
      records[parent].payload = UInt64(UInt32(truncatingIfNeeded: payload)) | UInt64(record) << 32
    }
    records[parent].count &+= 1
  }

  @inline(__always)
  mutating func set(_ record: Int, _ kind: Kind, _ payload: UInt64 = 0) {
    records[record].kind = kind
    records[record].payload = payload
  }

  /// Sets a value that is written already, as JSON.
  mutating func set(_ record: Int, textAt offset: Int, count: Int) {
    precondition(count < UInt32.max, "a value of 4 GiB of JSON or more, used out of order")
    set(record, .text, UInt64(offset))
    records[record].count = UInt32(truncatingIfNeeded: count)
  }

  mutating func removeValue(of record: Int) {
    records[record].count = 0
    set(record, .none)
  }

  mutating func setParent(of record: Int, _ parent: Int) {
    records[record].parent = UInt32(truncatingIfNeeded: parent)
  }

  /// Replaces the elements of a container by others, which were added to it or to another one.
  mutating func setElements(of record: Int, to elements: [Int]) {
    records[record].count = 0
    records[record].payload = 0
    for element in elements {
      records[element].parent = UInt32(truncatingIfNeeded: record)
      if records[record].kind == .array { records[element].key = records[record].count }
      records[element].next = 0
      link(element)
    }
  }

  @inline(__always)
  mutating func set(_ record: Int, text: String) {
    var text = text
    text.withUTF8 { text in
      let (offset, traits) = append(text)
      records[record].isTextASCII = traits.isASCII
      set(record, .string, UInt64(offset) | UInt64(text.count) << 32)
    }
  }

  /// Sets a text of ASCII that is written in place.
  @inline(__always)
  mutating func set(
    _ record: Int, textLength: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void
  ) {
    if heapCapacity - heapCount < textLength { growHeap(by: textLength) }
    write(heap + heapCount)
    set(record, .string, UInt64(heapCount) | UInt64(textLength) << 32)
    heapCount += textLength
  }

  mutating func set(_ record: Int, data: Data) {
    set(record, .data, UInt64(datas.pointee.count))
    datas.pointee.append(data)
  }

  /// Keeps text, and says where.
  @inline(__always)
  private mutating func append(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> (offset: Int, traits: CopiedText) {
    if heapCapacity - heapCount < text.count { growHeap(by: text.count) }
    let offset = heapCount
    heapCount &+= text.count
    guard let base = text.baseAddress else { return (offset, CopiedText()) }
    return (offset, CopiedText(base, count: text.count, to: heap + offset))
  }

  /// The first eight bytes of text of the heap, zeros after its end.
  @inline(__always)
  static func word(_ text: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    let word = UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
    return count >= 8 ? word : word & ((1 &<< UInt64(8 &* count)) &- 1)
  }

  @inline(never)
  private mutating func growRecords() {
    precondition(count < UInt32.max, "a property list of 4 billion values or more")
    let larger = UnsafeMutablePointer<Record>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: records, count: count)
    records.deallocate()
    records = larger
    capacity *= 2
  }

  @inline(never)
  private mutating func growHeap(by length: Int) {
    precondition(heapCount + length <= UInt32.max, "a property list of 4 GiB of text or more")
    heapCapacity = max(heapCapacity * 2, heapCount + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: heapCapacity + 8)
    larger.update(from: heap, count: heapCount)
    heap.deallocate()
    heap = larger
  }

  /// Removes every record but the first, which is empty again, and keeps memory for those to
  /// come, if it is not much.
  mutating func removeAll() {
    if capacity > Self.keptRecords || heapCapacity > Self.keptText {
      free()
      self = Self()
      return
    }
    if !datas.pointee.isEmpty { datas.pointee = [] }
    (count, heapCount) = (0, 0)
    _ = add(to: 0)
  }

  private static var keptRecords: Int { 1 << 13 }
  private static var keptText: Int { 1 << 18 }

  // MARK: Reading

  @inline(__always)
  func keyBytes(_ record: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: heap + Int(records[record].key), count: Int(records[record].keyLength))
  }

  @inline(__always)
  func textBytes(_ record: Int) -> UnsafeBufferPointer<UInt8> {
    let payload = records[record].payload
    return UnsafeBufferPointer(
      start: heap + Int(UInt32(truncatingIfNeeded: payload)), count: Int(payload >> 32))
  }

  /// The number of bytes of all data.
  var dataCount: Int { datas.pointee.reduce(0) { $0 + $1.count } }

  @inline(__always)
  func data(_ record: Int) -> Data { datas.pointee[Int(records[record].payload)] }

  /// The elements of a container, in their order.
  @inline(__always)
  func appendElements(of record: Int, to elements: inout GrowingBuffer<Int>) {
    guard records[record].count > 0 else { return }
    var element = Int(UInt32(truncatingIfNeeded: records[record].payload))
    while element != 0 {
      elements.append(element)
      element = Int(records[element].next)
    }
  }

  /// The elements of a container, in their order.
  func elements(of record: Int) -> [Int] {
    var elements: [Int] = []
    guard records[record].count > 0 else { return [] }
    var element = Int(UInt32(truncatingIfNeeded: records[record].payload))
    while element != 0 {
      elements.append(element)
      element = Int(records[element].next)
    }
    return elements
  }
}
