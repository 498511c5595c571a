/// Sixteen bytes of a text, which are looked at all at once.
@usableFromInline struct Chunk {
  @usableFromInline let bytes: SIMD16<UInt8>

  /// Loads sixteen bytes, which must all be allocated.
  @inlinable @inline(__always) init(_ start: UnsafePointer<UInt8>) {
    bytes = UnsafeRawPointer(start).loadUnaligned(as: SIMD16<UInt8>.self)
  }

  @inline(__always) init(_ bytes: SIMD16<UInt8>) { self.bytes = bytes }

  /// Passes over blocks of 64 plain bytes.
  ///
  /// - Parameter start: The first byte, behind which 64 are allocated.
  /// - Returns: The first byte of the block that has a special byte.
  @inline(__always)
  static func skipPlainBlocks(from start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var current = start
    while true {
      let specials =
        (Chunk(current).specialMask .| Chunk(current + 16).specialMask)
        .| (Chunk(current + 32).specialMask .| Chunk(current + 48).specialMask)
      guard Marks(specials).isEmpty else { return current }
      current += 64
    }
  }

  /// Which of sixteen bytes are of some kind: the high bit of each, and maybe others.
  ///
  /// Comparisons are written as `.==` and `.<` with a vector on both sides: of these alone the
  /// compiler makes one instruction, of the others a loop.
  @usableFromInline struct Marks {
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64

    @inlinable @inline(__always) init(_ mask: SIMDMask<SIMD16<Int8>>) {
      self.init(unsafeBitCast(mask, to: SIMD2<UInt64>.self))
    }

    @inlinable @inline(__always) init(_ halves: SIMD2<UInt64>) {
      low = UInt64(littleEndian: halves[0])
      high = UInt64(littleEndian: halves[1])
    }

    @inline(__always) var isEmpty: Bool { low | high == 0 }

    /// The index of the first byte that is marked; 16 if none is.
    @inlinable @inline(__always) var first: Int {
      if low != 0 { return low.trailingZeroBitCount &>> 3 }
      return 8 &+ high.trailingZeroBitCount &>> 3
    }
  }

  /// The bytes that end a run of plain ones in a string: a quote, a backslash, a control character,
  /// and any byte that is not ASCII.
  @inlinable @inline(__always) var specials: Marks { Marks(specialMask) }

  /// The same, to be joined with those of other chunks.
  @inlinable @inline(__always) var specialMask: SIMDMask<SIMD16<Int8>> {
    // With a sign, what is not ASCII is below all others.
    (bytes .== SIMD16<UInt8>(repeating: 0x22)) .| (bytes .== SIMD16<UInt8>(repeating: 0x5C))
      .| (unsafeBitCast(bytes, to: SIMD16<Int8>.self) .< SIMD16<Int8>(repeating: 0x20))
  }

  /// The same, and the quote that a string of JSON5 may begin with.
  @inline(__always) func specials(and quote: UInt8) -> Marks {
    quote == UInt8(ascii: "\"")
      ? specials : Marks(specialMask .| (bytes .== SIMD16<UInt8>(repeating: quote)))
  }

  /// The bytes that are not a space.
  @inlinable @inline(__always) var nonspaces: Marks {
    var marks = Marks(bytes .== SIMD16<UInt8>(repeating: 0x20))
    marks.low = ~marks.low
    marks.high = ~marks.high
    return marks
  }

  /// The bytes above 0x7F.
  @inlinable @inline(__always) var nonASCII: Marks {
    var marks = Marks(unsafeBitCast(bytes, to: SIMD2<UInt64>.self))
    marks.low &= 0x8080_8080_8080_8080
    marks.high &= 0x8080_8080_8080_8080
    return marks
  }
}
