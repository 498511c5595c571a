#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values of any type.
extension TapeValues {
  @inline(__always) func isNull(_ index: Int) -> Bool {
    // A value that the file does not have is null to the type that asks for it.
    index < 0 || state.pointee.tape.is(.null, index)
  }

  /// Decodes a value of any type.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    try decode(type, shape(of: type, at: index), at: index)
  }

  /// The shape of the type that a value, or the values in a container, are about to be decoded as.
  @inline(__always)
  func shape<T>(of type: T.Type, at index: Int) -> TypeShape {
    TypeShape.known(type) ?? findShape(of: type, at: index)
  }

  @inline(never)
  private func findShape<T>(of type: T.Type, at index: Int) -> TypeShape {
    var size = 1
    if index >= 0, [.array, .object].contains(state.pointee.tape.kind(index)) {
      size += state.pointee.tape.elementCount(index)
    }
    return TypeShape.find(
      type, size: size,
      isRequired: !state.pointee.isDirect || state.pointee.options.duplicates == .last)
  }

  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, _ shape: TypeShape, at index: Int) throws -> T {
    if shape.kind == .ordinary { return try type.init(from: decoder(at: index)) }
    return try decodeSpecial(type, shape, at: index)
  }

  /// Decodes a value into memory that is not initialized.
  @inline(__always)
  func decode<T: Decodable>(
    _ type: T.Type, _ shape: TypeShape, at index: Int, into destination: UnsafeMutablePointer<T>
  ) throws {
    switch shape.kind {
    case .ordinary: destination.initialize(to: try type.init(from: decoder(at: index)))
    case .whole: try shape.whole.unsafelyUnwrapped.decode(self, at: index, into: destination)
    default: destination.initialize(to: try decodeSpecial(type, shape, at: index))
    }
  }

  @inline(never)
  private func decodeSpecial<T: Decodable>(
    _ type: T.Type, _ shape: TypeShape, at index: Int
  ) throws -> T {
    switch shape.kind {
    case .url, .decimal:
      // Only in JSON they are not what they encode themselves as.
      guard state.pointee.tape.format == .json else {
        return try type.init(from: decoder(at: index))
      }
      fallthrough
    case .date, .data:
      // No strategy is asked about null.
      if isNull(index) { throw mismatch(type, at: index) }
    default: break
    }
    // Each cast is between a type and itself: the shape was found from `T`.
    return switch shape.kind {
    case .ordinary: try type.init(from: decoder(at: index))
    case .whole: try decodeWhole(shape.whole.unsafelyUnwrapped, at: index)
    case .string: unsafeBitCast(try string(index), to: type)
    case .bool: unsafeBitCast(try bool(index), to: type)
    case .double: unsafeBitCast(try double(index), to: type)
    case .float: unsafeBitCast(try float(index), to: type)
    case .decimal: unsafeBitCast(try decimal(index), to: type)
    case .int: unsafeBitCast(try integer(Int.self, index), to: type)
    case .int8: unsafeBitCast(try integer(Int8.self, index), to: type)
    case .int16: unsafeBitCast(try integer(Int16.self, index), to: type)
    case .int32: unsafeBitCast(try integer(Int32.self, index), to: type)
    case .int64: unsafeBitCast(try integer(Int64.self, index), to: type)
    case .int128: unsafeBitCast(try integer(Int128.self, index), to: type)
    case .uint: unsafeBitCast(try integer(UInt.self, index), to: type)
    case .uint8: unsafeBitCast(try integer(UInt8.self, index), to: type)
    case .uint16: unsafeBitCast(try integer(UInt16.self, index), to: type)
    case .uint32: unsafeBitCast(try integer(UInt32.self, index), to: type)
    case .uint64: unsafeBitCast(try integer(UInt64.self, index), to: type)
    case .uint128: unsafeBitCast(try integer(UInt128.self, index), to: type)
    case .date: unsafeBitCast(try date(index), to: type)
    case .data: unsafeBitCast(try data(index), to: type)
    case .url: unsafeBitCast(try url(index), to: type)
    case .uuid: unsafeBitCast(try uuid(index), to: type)
    case .value: unsafeBitCast(try anyValue(index), to: type)
    }
  }

  @inline(__always)
  private func decodeWhole<T>(_ type: any WholeDecodable.Type, at index: Int) throws -> T {
    func take(_ memory: UnsafeMutableRawBufferPointer) throws -> T {
      let destination = memory.baseAddress.unsafelyUnwrapped
      try type.decode(self, at: index, into: destination)
      return destination.assumingMemoryBound(to: T.self).move()
    }
    // An array or a dictionary is one word, and most optionals are few. (The standard library's
    // temporary allocations look for the metadata of a type of their own each time.)
    var words: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
    if MemoryLayout<T>.size <= MemoryLayout.size(ofValue: words) {
      return try withUnsafeMutableBytes(of: &words) { try take($0) }
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment)
    defer { memory.deallocate() }
    return try take(memory)
  }

  /// The elements of an array that are all of one simple type.
  @inline(__always)
  func list<Element>(_ array: Int, _ element: (Int) throws -> Element) throws -> [Element] {
    let end = state.pointee.tape.end(array)
    var result: [Element] = []
    result.reserveCapacity(state.pointee.tape.elementCount(array))
    var index = array + Tape.arrayHeader
    while index < end {
      result.append(try element(index))
      index = state.pointee.tape.next(index)
    }
    return result
  }

  /// The values by key of an object that are all of one simple type.
  @inline(__always)
  func dictionary<Value>(
    _ object: Int, _ element: (Int) throws -> Value
  ) throws -> [String: Value] {
    let end = state.pointee.tape.end(object)
    var result = [String: Value](minimumCapacity: state.pointee.tape.elementCount(object))
    let keepsFirst = state.pointee.options.duplicates == .first
    var index = object + Tape.objectHeader
    while index < end {
      let value = state.pointee.tape.value(ofKey: index)
      if let key = key(index) {
        let earlier = result.updateValue(try element(value), forKey: key)
        // Keys that are equal, or that Swift holds to be equal.
        if let earlier, keepsFirst { result[key] = earlier }
      }
      index = state.pointee.tape.next(value)
    }
    return result
  }
}
