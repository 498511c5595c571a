/// A file taken apart: a row of a few words for each value, in the order of the file.
///
/// The first word of a row has its kind in bits 60-63, its traits in bits 56-59, and in bits 0-31
/// the offset of its first byte in the file. The rest depends on the kind:
///
/// | Kind | Bits 32-55 | Further words |
/// | --- | --- | --- |
/// | null, false, true | | |
/// | string, data | length, or all ones | if all ones: the length, and above it the offset in the heap |
/// | number (of JSON) | exponent, signed | mantissa |
/// | integer, unsigned, real, date | | the number's bits |
/// | array | | the number of elements, and above it the index after the last |
/// | object | the type of keys (see `KeyTypes`) | the same; what was found last (see `Tape+Lookup`) |
///
/// The rows of an array's elements follow it; so do an object's, a string for each key before its
/// value. All text is UTF-8.
struct Tape: ~Copyable {
  /// What the file is written in.
  enum Format: Sendable {
    case json, xml, binary, openStep
    /// There is no file.
    case memory
  }

  /// What a row stands for.
  ///
  /// Their order is by the words of a row: one, two, depending on the length, and a container's.
  enum Kind: UInt64 {
    case null, `false`, `true`
    /// A number of JSON, in decimal; property lists have bits.
    case number
    case integer, unsigned, real, date
    case string, data
    case array, object
  }

  /// A key whose value does not count, as an equal key does.
  static let supersededTrait: UInt8 = 8
  /// Text or data in the heap, not in the file.
  static let heapTrait: UInt8 = 4

  static let lengthLimit: UInt64 = 0xFF_FFFF
  /// The words before the first element of an array, the first key of an object.
  static let arrayHeader = 2
  static let objectHeader = 4

  /// The longest text: the index of each word has 32 bits, and empty objects take four words for
  /// three bytes, which is the most.
  static let maximumByteCount = 3 << 30 - InputBytes.padding

  let format: Format
  let input: InputBytes
  /// The first byte of the file, which `input` owns.
  private(set) var bytes: UnsafePointer<UInt8>
  private(set) var words: UnsafeMutablePointer<UInt64>
  private(set) var count = 0
  private var capacity: Int
  private var buffer: UnsafeMutableRawBufferPointer
  /// Text that is not written in the file as it is.
  var heap = TextHeap()
  /// Long texts and data of a binary file.
  var sharedValues = SharedValues()

  /// - Parameter wordCount: About how many words there will be.
  init(_ input: InputBytes, format: Format, wordCount: Int) {
    buffer = BufferPool.acquire((wordCount + 16) * 8)
    capacity = buffer.count / 8
    words = buffer.bindMemory(to: UInt64.self).baseAddress.unsafelyUnwrapped
    self.format = format
    self.input = input
    bytes = input.start
  }

  deinit { BufferPool.release(buffer) }

  /// Copies the file's bytes, if the caller owns them.
  mutating func keepInput() {
    input.keep()
    bytes = input.start
  }

  // MARK: Writing

  /// Makes room for one row.
  @inline(__always) mutating func reserve() {
    if capacity &- count < Self.objectHeader { grow() }
  }

  @inline(never) private mutating func grow() {
    let larger = BufferPool.acquire(buffer.count * 2)
    let memory = larger.bindMemory(to: UInt64.self).baseAddress.unsafelyUnwrapped
    memory.initialize(from: words, count: count)
    BufferPool.release(buffer)
    buffer = larger
    capacity = larger.count / 8
    words = memory
  }

  @inline(__always) mutating func append(_ word: UInt64) {
    (words + count).initialize(to: word)
    count &+= 1
  }

  @inline(__always)
  static func word(_ kind: Kind, traits: UInt8 = 0, middle: UInt64 = 0, offset: Int) -> UInt64 {
    kind.rawValue &<< 60 | UInt64(traits) &<< 56 | middle &<< 32
      | UInt64(truncatingIfNeeded: offset)
  }

  /// Removes all rows from an index on.
  mutating func truncate(to count: Int) { self.count = min(count, self.count) }

  // MARK: Reading

  @inline(__always) func kind(_ index: Int) -> Kind {
    // Every word at a row's index was made from a kind.
    Kind(rawValue: words[index] &>> 60).unsafelyUnwrapped
  }

  @inline(__always) func `is`(_ kind: Kind, _ index: Int) -> Bool {
    words[index] &>> 60 == kind.rawValue
  }

  @inline(__always) func hasTrait(_ trait: UInt8, _ index: Int) -> Bool {
    words[index] & UInt64(trait) &<< 56 != 0
  }

  @inline(__always) func offset(_ index: Int) -> Int {
    Int(truncatingIfNeeded: words[index] & 0xFFFF_FFFF)
  }

  /// The index of the row after a value and all that is in it.
  @inline(__always) func next(_ index: Int) -> Int {
    let kind = words[index] &>> 60
    if kind >= Kind.array.rawValue { return end(index) }
    if kind >= Kind.string.rawValue { return value(ofKey: index) }
    return index &+ (kind >= Kind.number.rawValue ? 2 : 1)
  }

  /// The index of the row after a key or a string.
  @inline(__always) func value(ofKey index: Int) -> Int {
    index &+ (words[index] &>> 32 & Self.lengthLimit == Self.lengthLimit ? 2 : 1)
  }

  /// The index after the last row in an array or an object.
  @inline(__always) func end(_ index: Int) -> Int {
    Int(truncatingIfNeeded: words[index &+ 1] &>> 32)
  }

  /// The number of an array's elements, or of an object's keys.
  @inline(__always) func elementCount(_ index: Int) -> Int {
    Int(truncatingIfNeeded: words[index &+ 1] & 0xFFFF_FFFF)
  }

  /// The bits of an integer, a real number or a date.
  @inline(__always) func bits(_ index: Int) -> UInt64 { words[index &+ 1] }

  @inline(__always) func number(_ index: Int) -> JSON.NumberToken {
    let word = words[index]
    var token = JSON.NumberToken(start: bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF))
    token.mantissa = words[index &+ 1]
    // The exponent's sign is the highest of its 24 bits.
    token.exponent = Int(truncatingIfNeeded: Int64(bitPattern: word &<< 8) &>> 40)
    token.traits = JSON.NumberToken.Traits(rawValue: UInt8(truncatingIfNeeded: word &>> 56) & 15)
    return token
  }

  // MARK: The type of keys

  /// The number of the type that an object's keys were requested by last; 0 if they were not.
  func keyType(of object: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: words[object] &>> 32 & Self.lengthLimit)
  }

  @inline(__always) mutating func noteKeyType(_ number: UInt32, of object: Int) {
    words[object] =
      words[object] & ~(Self.lengthLimit &<< 32) | (UInt64(number) & Self.lengthLimit) &<< 32
  }
}
