extension JSON {
  /// A text taken apart: one entry of a few words for each value, in the order of the text.
  ///
  /// The first word of an entry has its kind in bits 60–63, its traits in bits 56–59, and in bits
  /// 0–31 the offset of its first byte. The rest depends on the kind:
  ///
  /// | kind | bits 32–55 | further words |
  /// | --- | --- | --- |
  /// | null, false, true | | |
  /// | string | length, or all ones | the length, if it is all ones |
  /// | number | exponent, signed | mantissa |
  /// | array | | the index after the last element, and the count |
  /// | object | the type of keys (see `KeyTypes`) | the same; what was found last (see `Tape+Lookup`) |
  ///
  /// The entries of an array's elements follow it; so do an object's, a string for each key before
  /// its value.
  struct Tape: ~Copyable {
    let input: Input
    /// The first byte of the text, which `input` owns.
    let bytes: UnsafePointer<UInt8>
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var count = 0
    private var capacity: Int
    private var buffer: UnsafeMutableRawBufferPointer

    enum Kind: UInt64 {
      case null, `false`, `true`, number, string, array, object
    }

    static let lengthLimit: UInt64 = 0xFF_FFFF
    /// The words before the first element of an array, the first key of an object.
    static let arrayHeader = 2
    static let objectHeader = 4

    /// - Parameter byteCount: The bytes that will be taken apart, if that is known.
    init(_ input: Input, byteCount: Int) {
      // A value takes some eight bytes of most texts.
      buffer = BufferPool.take((byteCount / 6 + 16) * 8)
      capacity = buffer.count / 8
      words = buffer.bindMemory(to: UInt64.self).baseAddress.unsafelyUnwrapped
      self.input = input
      bytes = UnsafePointer(input.start)
    }

    deinit { BufferPool.giveBack(buffer) }

    // MARK: Writing

    /// Makes room for one entry.
    @inline(__always) mutating func reserve() {
      if capacity &- count < Self.objectHeader { grow() }
    }

    @inline(never) private mutating func grow() {
      let larger = BufferPool.take(buffer.count * 2)
      let place = larger.bindMemory(to: UInt64.self).baseAddress.unsafelyUnwrapped
      place.initialize(from: words, count: count)
      BufferPool.giveBack(buffer)
      buffer = larger
      capacity = larger.count / 8
      words = place
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

    // MARK: Reading

    @inline(__always) func kind(_ index: Int) -> Kind {
      // Every word at an entry's index was made from a kind.
      Kind(rawValue: words[index] &>> 60).unsafelyUnwrapped
    }

    @inline(__always) func `is`(_ kind: Kind, _ index: Int) -> Bool {
      words[index] &>> 60 == kind.rawValue
    }

    @inline(__always) func offset(_ index: Int) -> Int {
      Int(truncatingIfNeeded: words[index] & 0xFFFF_FFFF)
    }

    /// The index of the entry after a value and all that is in it.
    @inline(__always) func next(_ index: Int) -> Int {
      let word = words[index]
      switch Kind(rawValue: word &>> 60).unsafelyUnwrapped {
      case .null, .false, .true: return index &+ 1
      case .number: return index &+ 2
      case .string: return index &+ (word &>> 32 & Self.lengthLimit == Self.lengthLimit ? 2 : 1)
      case .array, .object: return end(index)
      }
    }

    /// The index after the last entry in an array or an object.
    @inline(__always) func end(_ index: Int) -> Int {
      Int(truncatingIfNeeded: words[index &+ 1] &>> 32)
    }

    /// The number of an array's elements, or of an object's keys.
    @inline(__always) func elementCount(_ index: Int) -> Int {
      Int(truncatingIfNeeded: words[index &+ 1] & 0xFFFF_FFFF)
    }

    @inline(__always) func string(_ index: Int) -> StringToken {
      let word = words[index]
      var length = word &>> 32 & Self.lengthLimit
      if length == Self.lengthLimit { length = words[index &+ 1] }
      return StringToken(
        start: bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF),
        count: Int(truncatingIfNeeded: length),
        traits: StringToken.Traits(rawValue: UInt8(truncatingIfNeeded: word &>> 56) & 15))
    }

    @inline(__always) func number(_ index: Int) -> NumberToken {
      let word = words[index]
      var token = NumberToken(start: bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF))
      token.mantissa = words[index &+ 1]
      // The exponent's sign is the highest of its 24 bits.
      token.exponent = Int(truncatingIfNeeded: Int64(bitPattern: word &<< 8) &>> 40)
      token.traits = NumberToken.Traits(rawValue: UInt8(truncatingIfNeeded: word &>> 56) & 15)
      return token
    }
  }
}
