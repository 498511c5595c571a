extension JSON.Tape {
  /// The number of the type that an object's keys were asked for by last; 0 if they were not.
  ///
  /// It is in bits 32–55 of the entry's first word.
  func keyType(of object: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: words[object] >> 32 & Self.lengthLimit)
  }

  @inline(__always) func noteKeyType(_ number: UInt32, of object: Int) {
    words[object] =
      words[object] & ~(Self.lengthLimit &<< 32) | (UInt64(number) & Self.lengthLimit) &<< 32
  }
}
