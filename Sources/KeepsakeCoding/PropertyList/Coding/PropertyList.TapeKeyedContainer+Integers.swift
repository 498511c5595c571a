/// Whole numbers of every width. Without a method of its own for each, the standard library's would
/// look for a key three times, and refuse 128 bits.
extension PropertyList.TapeKeyedContainer {
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try values.integer(type, at: require(key))
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try values.integer(type, at: require(key))
  }

  @inline(__always)
  private func integerIfPresent<T: FixedWidthInteger>(_ type: T.Type, _ key: Key) throws -> T? {
    guard let value = findValue(key) else { return nil }
    return try values.integer(type, at: value)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try integerIfPresent(type, key)
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try integerIfPresent(type, key)
  }
}
