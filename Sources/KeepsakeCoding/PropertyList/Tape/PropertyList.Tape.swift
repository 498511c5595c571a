#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// A property list as a row of entries, each container before what it holds.
  ///
  /// Every reader makes a tape, and the decoder and ``Value`` are made from it. Text is not copied
  /// to it but where it stands otherwise in the file (references, UTF-16): an entry names its place.
  /// All text that an entry names has been found to be UTF-8.
  ///
  /// The bytes of the file must stay in place while the tape is in use, and ``free()`` ends it.
  struct Tape {
    /// What an entry stands for.
    enum Kind: UInt8 {
      case null, `false`, `true`, integer, unsigned, real, date, data, string, array, dictionary
    }

    /// A word that tells kind, flags and place, and one that tells the value.
    ///
    /// | Kind | Payload |
    /// | --- | --- |
    /// | integer, unsigned, real, date | the number's bits |
    /// | data | the length in bytes |
    /// | string | the length, and above it the first four bytes |
    /// | array | the index after its last entry, and above it the number of elements |
    /// | dictionary | the same index, and above it that of the key expected next |
    struct Entry {
      var head: UInt64
      var payload: UInt64

      static let isASCII: UInt64 = 1 << 8
      /// The bytes are in the heap, not in the file.
      static let isInHeap: UInt64 = 1 << 9
      /// A number of single precision.
      static let isSingle: UInt64 = 1 << 10
      /// The number of the type that a dictionary's keys were requested by last; 0 if they were not.
      static let keyTypeShift: UInt64 = 12
      static let keyTypeMask: UInt64 = 0xF_FFFF << keyTypeShift

      @inline(__always)
      var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: head), to: Kind.self) }
      /// Where the value, or its text, stands in the file, or in the heap.
      @inline(__always)
      var offset: Int { Int(truncatingIfNeeded: head >> 32) }
      @inline(__always)
      var length: Int { Int(UInt32(truncatingIfNeeded: payload)) }
    }

    let format: Format?
    private(set) var entries: UnsafeMutablePointer<Entry>
    private(set) var count = 0
    private var capacity: Int

    /// The file.
    var source: UnsafePointer<UInt8>
    let sourceCount: Int
    /// Text that stands otherwise in the file.
    var heap: UnsafeMutablePointer<UInt8>
    var heapCount = 0
    var heapCapacity = 0
    /// What has been made of long texts and data, which a binary file can name more than once.
    ///
    /// Behind a pointer, as a tape with a reference in it would be slower to use.
    private var longValues: UnsafeMutablePointer<LongValues>?

    struct LongValues {
      var texts: [Int: String] = [:]
      var data: [Int: Data] = [:]
    }

    /// Where the search for the place of the last fault ended, so that many faults, which a program
    /// may pass over, do not each search the whole file.
    var lastPlace = LineCounter()
    var lastStep = (container: -1, index: 0, position: 0)

    /// - Parameter format: `nil` if there is no file.
    init(_ bytes: UnsafeBufferPointer<UInt8>, format: Format?) {
      // An empty buffer may have no address; it is never read from then.
      source = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
      sourceCount = bytes.count
      self.format = format
      capacity = bytes.count / (format == .binary ? 4 : 16) + 16
      entries = .allocate(capacity: capacity)
      heap = UnsafeMutablePointer(bitPattern: 1)!
    }

    func free() {
      entries.deallocate()
      if heapCapacity > 0 { heap.deallocate() }
      longValues?.deinitialize(count: 1)
      longValues?.deallocate()
    }

    mutating func withLongValues<T>(_ body: (inout LongValues) -> T) -> T {
      if longValues == nil {
        longValues = .allocate(capacity: 1)
        longValues!.initialize(to: LongValues())
      }
      return body(&longValues!.pointee)
    }
  }
}

extension PropertyList.Tape {
  // MARK: Writing

  @inline(__always)
  mutating func append(_ kind: Kind, flags: UInt64 = 0, at offset: Int, _ payload: UInt64 = 0) {
    if count == capacity { grow() }
    entries[count] = Entry(
      head: UInt64(kind.rawValue) | flags | UInt64(truncatingIfNeeded: offset) << 32,
      payload: payload)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.update(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }

  /// Takes back every entry.
  mutating func removeAll() { count = 0 }

  /// Ends a container, all of its entries having been added.
  @inline(__always)
  mutating func close(_ container: Int, elementCount: Int) {
    let isArray = entries[container].kind == .array
    let upper = isArray ? elementCount : container + 1
    entries[container].payload =
      UInt64(truncatingIfNeeded: upper) << 32 | UInt64(UInt32(truncatingIfNeeded: count))
    if !isArray { supersedeEqualKeys(of: container, count: elementCount) }
  }

  // MARK: Reading

  @inline(__always)
  func kind(_ index: Int) -> Kind { entries[index].kind }

  /// The index after a value and all that it holds.
  @inline(__always)
  func end(of index: Int) -> Int {
    let entry = entries[index]
    return entry.kind.rawValue >= Kind.array.rawValue ? entry.length : index &+ 1
  }

  /// The address of an entry's text or data.
  @inline(__always)
  func bytes(of entry: Entry) -> UnsafePointer<UInt8> {
    (entry.head & Entry.isInHeap != 0 ? UnsafePointer(heap) : source) + entry.offset
  }

  /// Whether the value stands for none: the null of a binary file, or Foundation's text for it.
  @inline(__always)
  func isNull(_ index: Int) -> Bool {
    let entry = entries[index]
    if entry.kind == .null { return true }
    // "$nul", and its length with the last letter; then that letter.
    return entry.kind == .string && entry.payload == 0x6C75_6E24_0000_0005
      && bytes(of: entry)[4] == UInt8(ascii: "l")
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether every byte is below 0x80; eight are looked at together.
  @inline(__always)
  var isASCII: Bool {
    guard let base = baseAddress else { return true }
    var offset = 0
    var all: UInt64 = 0
    while offset + 8 <= count {
      all |= UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self)
      offset += 8
    }
    while offset < count {
      all |= UInt64(base[offset])
      offset += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
