/// What is known of text after it was copied.
///
/// It is taken from what was read for the copy: to read right after writing, and more at once than
/// was written, takes longer than all of the rest.
struct CopiedText {
  private var allBytes: UInt64 = 0
  /// The first eight bytes, the first one lowest; zeros after the end of the text.
  private(set) var firstWord: UInt64 = 0

  /// Nothing.
  init() {}

  /// Copies text.
  ///
  /// - Parameter target: Eight bytes can be written there, however short the text is.
  @inline(__always)
  init(_ text: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>) {
    let source = UnsafeRawPointer(text)
    let target = UnsafeMutableRawPointer(target)
    @inline(__always)
    func load<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> UInt64 {
      UInt64(Word(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: Word.self)))
    }
    @inline(__always)
    func shifted(_ word: UInt64, _ offset: Int) -> UInt64 {
      word &<< UInt64(truncatingIfNeeded: offset &* 8)
    }
    switch count {
    case 8...:
      firstWord = load(0, UInt64.self)
      if count > 64 {
        target.copyMemory(from: source, byteCount: count)
        allBytes = Self.allBytes(of: source, count: count)
        return
      }
      var offset = 0
      while offset <= count &- 8 {
        let word = load(offset, UInt64.self)
        allBytes |= word
        target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
        offset &+= 8
      }
      let last = load(count &- 8, UInt64.self)
      allBytes |= last
      target.storeBytes(of: last.littleEndian, toByteOffset: count &- 8, as: UInt64.self)
      return
    case 4...:
      firstWord = load(0, UInt32.self) | shifted(load(count &- 4, UInt32.self), count &- 4)
    case 1...:
      let middle = count / 2
      firstWord =
        load(0, UInt8.self) | shifted(load(middle, UInt8.self), middle)
        | shifted(load(count &- 1, UInt8.self), count &- 1)
    default: return
    }
    allBytes = firstWord
    target.storeBytes(of: firstWord.littleEndian, as: UInt64.self)
  }

  /// All bytes of a text of at least 16, one over the other.
  private static func allBytes(of source: UnsafeRawPointer, count: Int) -> UInt64 {
    var all = source.loadUnaligned(fromByteOffset: count &- 16, as: SIMD2<UInt64>.self)
    var offset = 0
    while offset <= count &- 16 {
      all |= source.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      offset &+= 16
    }
    return all[0] | all[1]
  }

  @inline(__always)
  var isASCII: Bool { allBytes & 0x8080_8080_8080_8080 == 0 }
}
