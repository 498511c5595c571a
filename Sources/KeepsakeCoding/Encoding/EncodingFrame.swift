/// A value being encoded: what an encoder was made for, or a container nested in that.
struct EncodingFrame {
  enum Shape {
    /// Nothing is written yet.
    case empty
    /// An object or array is open.
    case object, array
    /// The value is written.
    case value
  }

  /// Where a coding path finds the key of a value.
  enum Key {
    case none
    case index(Int)
    /// A key in memory that outlives the frame: it belongs to the call that encodes the value.
    case inMemory(UnsafeRawPointer, any CodingKey.Type)
    /// A key that is a byte, as that of most types is.
    case byte(UInt8, any CodingKey.Type)
    /// One of the keys that the state keeps.
    case kept(Int)
  }

  /// Whose keys the entries of an object have.
  struct KeySource: Equatable {
    private var number: UInt64

    /// No entry is written yet.
    static let none = Self(number: 0)
    /// Several types', or those of one that is not known: any two may be the same.
    static let any = Self(number: .max)

    private init(number: UInt64) { self.number = number }

    /// Those of one type, with different texts.
    @inline(__always)
    init(_ texts: KeyTexts) { number = texts.number }
  }

  /// What its containers have to show to write to it.
  var token: UInt64
  var key: Key
  var mark: EncodingMark
  /// Where the value begins in the buffer.
  var start: Int
  /// The number of elements, if it is an array.
  var count = 0
  /// The first of its entries.
  var entryBase: Int
  /// Whose keys its entries have, if it is an object, and a bit for each that is there.
  var keySource = KeySource.none
  var keysPresent: UInt64 = 0
  /// How many closed containers and kept keys there were when it began.
  var closedBase: Int
  var keyBase: Int
  var shape = Shape.empty
  /// Its record, if it is open when the encoding begins to be recorded.
  var record = 0
  /// Whether an encoder was made for it: its end ends everything within.
  var isScope: Bool
  /// Whether it is a nested container, which a later one for the same key continues.
  var isNested: Bool
}

/// How far the output was when an entry began: what an error goes back to.
struct EncodingMark {
  var start = 0
  var entries = 0
}

/// Where an entry of an open object is in the buffer: `"key":value,`.
struct EncodingEntry {
  var start: Int
  /// Of the key with quotation marks and colon.
  var keyLength: UInt32
  var hash: UInt32
}

/// A nested container that another was written after, while its encoder may still be used.
struct ClosedContainer {
  var token: UInt64
  var parent: UInt64
  var key: any CodingKey
  /// Where its value begins in the buffer.
  var start: Int
  /// Whether nothing was encoded: the empty object in the buffer may become anything.
  var isEmpty: Bool
  /// Whether it is a nested container, which a later one for the same key continues.
  var isNested: Bool
}
