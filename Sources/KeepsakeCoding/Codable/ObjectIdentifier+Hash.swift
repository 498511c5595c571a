extension ObjectIdentifier {
  /// A number of some bits for a table of types.
  ///
  /// The types of a module lie at equal distances: 144 bytes for instance, of which a single
  /// multiplication by the golden ratio, as it is common for addresses, makes eight times the same
  /// number, for 144 is one of Fibonacci's. So the product is folded, and multiplied again.
  @inline(__always)
  func hash(bits: Int) -> Int {
    var hash = (UInt64(UInt(bitPattern: self)) &>> 3) &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash &>> 32
    hash &*= 0xC4CE_B9FE_1A85_EC53
    return Int(truncatingIfNeeded: hash &>> UInt64(64 &- bits))
  }
}
