#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The values of a document's entries.
extension JSON.Entries {
  @inline(__always) func isNull(_ index: Int) -> Bool {
    // A value that the text does not have is null to the type that asks for it.
    index < 0 || state.pointee.tape.is(.null, index)
  }

  /// Decodes a value of any type.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
    try decode(type, JSON.TypeShape.of(type), at: index)
  }

  @inline(__always)
  func decode<T: Decodable>(
    _ type: T.Type, _ shape: JSON.TypeShape, at index: Int
  ) throws -> T {
    if shape.kind == .ordinary {
      return try type.init(from: decoder(at: index))
    }
    return try decodeSpecial(type, shape, at: index)
  }

  @inline(never)
  private func decodeSpecial<T: Decodable>(
    _ type: T.Type, _ shape: JSON.TypeShape, at index: Int
  ) throws -> T {
    // Each cast is between a type and itself: the shape was found from `T`.
    switch shape.kind {
    case .date, .data, .url:
      // No strategy is asked about null.
      if isNull(index) { throw mismatch(type, at: index) }
    default: break
    }
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
  private func decodeWhole<W: JSON.WholeDecodable, T>(_ type: W.Type, at index: Int) throws -> T {
    unsafeBitCast(try W(self, at: index), to: T.self)
  }

  /// The elements of an array whose elements are all of one simple type.
  @inline(__always)
  func list<Element>(_ array: Int, _ element: (Int) throws -> Element) throws -> [Element] {
    let end = state.pointee.tape.end(array)
    var result: [Element] = []
    result.reserveCapacity(state.pointee.tape.elementCount(array))
    var index = array + JSON.Tape.arrayHeader
    while index < end {
      result.append(try element(index))
      index = state.pointee.tape.next(index)
    }
    return result
  }

  // MARK: Scalars

  @inline(__always) func string(_ index: Int) throws -> String {
    guard index >= 0, state.pointee.tape.is(.string, index) else {
      throw mismatch(String.self, at: index)
    }
    let token = state.pointee.tape.string(index)
    return token.traits.contains(.hasEscapes)
      ? JSON.unescapedText(of: token) : JSON.text(of: token)
  }

  @inline(__always) func bool(_ index: Int) throws -> Bool {
    if index >= 0 {
      if state.pointee.tape.is(.true, index) { return true }
      if state.pointee.tape.is(.false, index) { return false }
    }
    throw mismatch(Bool.self, at: index)
  }

  @inline(__always) func double(_ index: Int) throws -> Double {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      return try nonConforming(Double.self, at: index)
    }
    guard let value = state.pointee.tape.number(index).double else {
      throw outOfRange(Double.self, at: index)
    }
    return value
  }

  func float(_ index: Int) throws -> Float {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      return try nonConforming(Float.self, at: index)
    }
    guard let value = state.pointee.tape.number(index).float else {
      throw outOfRange(Float.self, at: index)
    }
    return value
  }

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ index: Int) throws -> Integer {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      throw mismatch(type, at: index)
    }
    guard let value = state.pointee.tape.number(index).integer(as: type) else {
      throw outOfRange(type, at: index)
    }
    return value
  }

  func decimal(_ index: Int) throws -> Decimal {
    guard index >= 0, state.pointee.tape.is(.number, index) else {
      throw mismatch(Decimal.self, at: index)
    }
    guard let value = state.pointee.tape.number(index).decimal else {
      throw outOfRange(Decimal.self, at: index)
    }
    return value
  }

  @inline(never)
  private func nonConforming<F: BinaryFloatingPoint>(_ type: F.Type, at index: Int) throws -> F {
    guard
      case .convertFromString(let positive, let negative, let nan) = state.pointee.options.float,
      index >= 0, state.pointee.tape.is(.string, index)
    else { throw mismatch(type, at: index) }
    switch try string(index) {
    case positive: return .infinity
    case negative: return -.infinity
    case nan: return .nan
    default: throw mismatch(type, at: index)
    }
  }

  func anyValue(_ index: Int) throws -> JSON.Value {
    do throws(JSON.Fault) {
      return try value(index)
    } catch {
      throw corrupted("A number that is not finite is no JSON value.", at: index)
    }
  }

  // MARK: Types of Foundation

  func date(_ index: Int) throws -> Date {
    switch state.pointee.options.date {
    case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try double(index))
    case .secondsSince1970: return Date(timeIntervalSince1970: try double(index))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(index) / 1000)
    case .iso8601:
      guard index >= 0, state.pointee.tape.is(.string, index) else {
        throw mismatch(String.self, at: index)
      }
      let token = state.pointee.tape.string(index)
      let seconds: Double?
      if token.traits.contains(.hasEscapes) {
        var text = JSON.unescapedText(of: token)
        seconds = text.withUTF8 { bytes in
          bytes.baseAddress.flatMap { ISO8601.seconds(of: $0, count: bytes.count) }
        }
      } else {
        seconds = ISO8601.seconds(of: token.start, count: token.count)
      }
      guard let seconds else {
        throw corrupted("Expected date string to be ISO8601-formatted.", at: index)
      }
      return Date(timeIntervalSinceReferenceDate: seconds)
    case .custom(let convert):
      return try convert(decoder(at: index))
    }
  }

  func data(_ index: Int) throws -> Data {
    switch state.pointee.options.data {
    case .deferredToData: return try Data(from: decoder(at: index))
    case .base64:
      guard index >= 0, state.pointee.tape.is(.string, index) else {
        throw mismatch(String.self, at: index)
      }
      guard let data = Data(base64: state.pointee.tape.string(index)) else {
        throw corrupted("Encountered Data is not valid Base64.", at: index)
      }
      return data
    case .custom(let convert):
      return try convert(decoder(at: index))
    }
  }

  func url(_ index: Int) throws -> URL {
    guard let url = URL(string: try string(index)) else {
      throw corrupted("Invalid URL string.", at: index)
    }
    return url
  }

  func uuid(_ index: Int) throws -> UUID {
    if index >= 0, state.pointee.tape.is(.string, index) {
      let token = state.pointee.tape.string(index)
      if let uuid = UUID(text: UnsafeBufferPointer(start: token.start, count: token.count)) {
        return uuid
      }
    }
    guard let uuid = UUID(uuidString: try string(index)) else {
      throw corrupted("Attempted to decode UUID from invalid UUID string.", at: index)
    }
    return uuid
  }
}

extension Data {
  fileprivate init?(base64 token: JSON.StringToken) {
    if token.traits.contains(.hasEscapes) {
      // A slash may be escaped, as Foundation's encoder does.
      let text = Array(JSON.unescapedText(of: token).utf8)
      guard let data = text.withUnsafeBufferPointer({ Data(base64: $0) }) else { return nil }
      self = data
    } else {
      self.init(base64: UnsafeBufferPointer(start: token.start, count: token.count))
    }
  }

  private init?(base64 text: UnsafeBufferPointer<UInt8>) {
    // Three bytes for every four, which are neither filled with zeros first nor copied afterwards.
    let output = UnsafeMutableRawBufferPointer.allocate(
      byteCount: text.count / 4 * 3 + 6, alignment: 1)
    // Foundation's decoder refuses whitespace.
    let result = Base64.decode(text, allowsWhitespace: false, into: output)
    guard result.invalid == nil, result.length > 0, let start = output.baseAddress else {
      output.deallocate()
      guard result.invalid == nil else { return nil }
      self.init()
      return
    }
    self.init(
      bytesNoCopy: start, count: result.length,
      deallocator: .custom { start, _ in start.deallocate() })
  }
}
