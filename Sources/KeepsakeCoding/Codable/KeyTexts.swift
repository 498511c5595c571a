/// What the keys of a type are as text, to be had without asking them.
///
/// Most keys are cases without values of an enumeration: the one byte that such a key is stands for
/// its text. To ask the key for it takes calls that nothing can inline, a string, and a look at
/// every byte of that.
///
/// A text is kept from the second use of its key in a coding on, and is forgotten with the coding:
/// a type may compute the names of its keys from something that has changed by the next.
struct KeyTexts {
  /// A key's text, as long as its mark is that of the coding.
  struct Entry {
    /// Twice the number of the coding that met the key last; one more if the text is here.
    fileprivate var mark: UInt64 = 0
    fileprivate(set) var hash: UInt32 = 0
    fileprivate(set) var length: UInt32 = 0
    /// The text, and what may be read behind it.
    fileprivate(set) var text = (SIMD16<UInt8>(), SIMD16<UInt8>(), SIMD16<UInt8>())
  }

  /// Longer texts are not kept.
  static let maximumLength = 48
  /// Keys with a higher byte are not kept.
  static let maximumCount = 64

  /// Distinguishes these texts from those of any other type, for the caller that gave the number.
  let number: UInt64
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity = 0

  /// The texts of a type's keys; `nil` if a key is more than a byte.
  init?<Key>(of type: Key.Type, number: UInt64 = 0) {
    guard MemoryLayout<Key>.size <= 1, _isPOD(Key.self) else { return nil }
    self.number = number
    entries = .allocate(capacity: 0)
  }

  func free() { entries.deallocate() }

  /// The byte that a key of this type is.
  @inline(__always)
  func byte<Key>(of key: Key) -> Int {
    // A single case has no size.
    MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
  }

  /// The text that was kept for a key in a coding.
  ///
  /// - Parameter coding: The number of the coding; none is zero.
  @inline(__always)
  func text(of byte: Int, in coding: UInt64) -> UnsafePointer<Entry>? {
    guard byte < capacity, entries[byte].mark == coding &* 2 &+ 1 else { return nil }
    return UnsafePointer(entries + byte)
  }

  /// Notes the use of a key in a coding, and keeps its text if it is the second one.
  ///
  /// - Parameter hash: Of two keys whose texts have the same hash only one is kept, so that all
  ///   texts that are kept differ.
  @inline(never)
  mutating func note(
    _ byte: Int, _ text: UnsafeBufferPointer<UInt8>, hash: UInt32?, in coding: UInt64
  ) {
    guard byte < Self.maximumCount, text.count <= Self.maximumLength else { return }
    if byte >= capacity { grow(toHold: byte) }
    guard entries[byte].mark == coding &* 2 else { return entries[byte].mark = coding &* 2 }
    if let hash {
      for other in 0..<capacity
      where entries[other].hash == hash && entries[other].mark == coding &* 2 &+ 1 {
        return
      }
      entries[byte].hash = hash
    }
    entries[byte].mark = coding &* 2 &+ 1
    entries[byte].length = UInt32(text.count)
    withUnsafeMutableBytes(of: &entries[byte].text) {
      $0.copyMemory(from: UnsafeRawBufferPointer(text))
    }
  }

  private mutating func grow(toHold byte: Int) {
    var larger = max(capacity * 2, 8)
    while larger <= byte { larger *= 2 }
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
    memory.initialize(repeating: Entry(), count: larger)
    memory.update(from: entries, count: capacity)
    entries.deallocate()
    entries = memory
    capacity = larger
  }
}

extension KeyTexts.Entry {
  /// The bytes of the text of an entry that stays where it is.
  @inline(__always)
  static func bytes(of entry: UnsafePointer<Self>) -> UnsafeBufferPointer<UInt8> {
    let text = UnsafeRawPointer(entry) + MemoryLayout<Self>.offset(of: \.text).unsafelyUnwrapped
    return UnsafeBufferPointer(
      start: text.assumingMemoryBound(to: UInt8.self), count: Int(entry.pointee.length))
  }
}
