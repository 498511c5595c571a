/// Whole numbers of every width: the standard library's own methods refuse 128 bits.
extension PropertyList.TapeUnkeyedContainer {
  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
}

extension PropertyList.TapeDecoder {
  func decode(_ type: Int.Type) throws -> Int { try storage.values.integer(type, at: index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try storage.values.integer(type, at: index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try storage.values.integer(type, at: index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try storage.values.integer(type, at: index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try storage.values.integer(type, at: index) }
  func decode(_ type: Int128.Type) throws -> Int128 { try storage.values.integer(type, at: index) }
  func decode(_ type: UInt.Type) throws -> UInt { try storage.values.integer(type, at: index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try storage.values.integer(type, at: index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try storage.values.integer(type, at: index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try storage.values.integer(type, at: index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try storage.values.integer(type, at: index) }
  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try storage.values.integer(type, at: index)
  }
}
