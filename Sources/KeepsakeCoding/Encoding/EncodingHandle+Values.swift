#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EncodingHandle {
  /// Encodes the value that is the whole file.
  func encodeRoot<T: Encodable>(_ value: T) throws {
    if state.pointee.isRecording {
      try RecordSlot(state: state, record: 0).set(value: value)
    } else if let dates = state.pointee.options.direct,
      let writable = WritableTypes.find(T.self),
      withUnsafePointer(to: value, { writable.write(at: $0, to: &state.pointee.writer, dates) })
    {
      return
    } else {
      try encode(value, at: .none, entry: EncodingMark())
    }
  }

  /// Encodes a value: at the end of the buffer or, if the encoding is recorded, into the record of
  /// this handle or text for it.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - entry: Where its entry begins, to which an error goes back.
  func encode<T: Encodable>(
    _ value: T, at key: EncodingFrame.Key, entry: EncodingMark
  ) throws {
    let kind = state.pointee.types.kind(of: T.self)
    if case .own = kind {
      let level = state.pointee.frames.count
      let handle = try beginScope(at: key, entry: entry)
      do {
        try value.encode(to: ValueEncoder(handle: handle))
      } catch {
        abandonScope(at: level)
        throw error
      }
      return endScope(at: level)
    }
    do {
      try withUnsafePointer(to: value) {
        // The table says that `T` is the type that the kind stands for.
        try encode(kind, UnsafeRawPointer($0), at: key, entry: entry)
      }
    } catch {
      state.pointee.goBack(to: entry)
      throw error
    }
  }

  /// Encodes a value of a type that is known.
  ///
  /// - Parameter value: A value of the type that `kind` stands for.
  private func encode(
    _ kind: EncodingKind, _ value: UnsafeRawPointer, at key: EncodingFrame.Key,
    entry: EncodingMark
  ) throws {
    @inline(__always)
    func load<U>(_ type: U.Type) -> U { value.assumingMemoryBound(to: type).pointee }
    switch kind {
    case .bool: state.pointee.writer.write(load(Bool.self))
    case .int: state.pointee.writer.write(load(Int.self))
    case .int8: state.pointee.writer.write(load(Int8.self))
    case .int16: state.pointee.writer.write(load(Int16.self))
    case .int32: state.pointee.writer.write(load(Int32.self))
    case .int64: state.pointee.writer.write(load(Int64.self))
    case .int128: state.pointee.writer.write(load(Int128.self))
    case .uint: state.pointee.writer.write(load(UInt.self))
    case .uint8: state.pointee.writer.write(load(UInt8.self))
    case .uint16: state.pointee.writer.write(load(UInt16.self))
    case .uint32: state.pointee.writer.write(load(UInt32.self))
    case .uint64: state.pointee.writer.write(load(UInt64.self))
    case .uint128: state.pointee.writer.write(load(UInt128.self))
    case .float: try write(load(Float.self), at: key)
    case .double: try write(load(Double.self), at: key)
    case .string: state.pointee.writer.write(load(String.self))
    case .date: try write(load(Date.self), at: key, entry: entry)
    case .data: try write(load(Data.self), at: key, entry: entry)
    case .url: state.pointee.writer.write(load(URL.self).absoluteString)
    case .uuid: state.pointee.writer.write(load(UUID.self))
    case .decimal: try write(load(Decimal.self), at: key)
    case .direct(let type):
      try type.encode(at: value, with: self, key: key, entry: entry)
    case .own: break
    }
  }

  // MARK: Numbers

  /// Writes a number, or what the strategy makes of it.
  @inline(__always)
  func write(_ number: Double, at key: EncodingFrame.Key) throws {
    guard number.isFinite else { return try writeNonConforming(number, at: key) }
    state.pointee.writer.writeFinite(number)
  }

  /// Writes a number, or what the strategy makes of it.
  @inline(__always)
  func write(_ number: Float, at key: EncodingFrame.Key) throws {
    guard number.isFinite else { return try writeNonConforming(number, at: key) }
    state.pointee.writer.writeFinite(number)
  }

  @inline(never)
  private func writeNonConforming<Number: BinaryFloatingPoint>(
    _ number: Number, at key: EncodingFrame.Key
  ) throws {
    guard
      case .convertToString(let positive, let negative, let none) = state.pointee.options.floats
    else { throw nonConforming(number, at: key) }
    state.pointee.writer.write(
      number.isNaN ? none : number.sign == .minus ? negative : positive)
  }

  @inline(never)
  private func nonConforming<Number: BinaryFloatingPoint>(
    _ number: Number, at key: EncodingFrame.Key
  ) -> EncodingError {
    var path = codingPath
    if let key = state.pointee.key(key) { path.append(key) }
    return .invalidValue(
      number,
      EncodingError.Context(
        codingPath: path,
        debugDescription: "Unable to encode \(Number.self).\(number) directly in JSON."))
  }

  private func write(_ number: Decimal, at key: EncodingFrame.Key) throws {
    guard !number.isNaN else { throw nonConforming(Double.nan, at: key) }
    state.pointee.writer.write(number)
  }

  // MARK: Dates and data

  private func write(_ date: Date, at key: EncodingFrame.Key, entry: EncodingMark) throws {
    let strategy = state.pointee.options.dates
    if let form = JSON.DateForm(strategy) {
      if let number = state.pointee.writer.write(date, as: form) {
        // The strategy for such numbers is for those that a date encodes itself as.
        guard form == .deferredToDate || form == .iso8601Exact else {
          throw nonConforming(number, at: key)
        }
        try write(number, at: key)
      }
    } else if case .custom(let encode) = strategy {
      try scope(at: key, entry: entry) {
        try encode(date, ValueEncoder(handle: $0))
        $0.encodeEmptyAtTop()
      }
    }
  }

  private func write(_ data: Data, at key: EncodingFrame.Key, entry: EncodingMark) throws {
    switch state.pointee.options.data {
    case .base64:
      data.withUnsafeBytes { state.pointee.writer.writeBase64($0) }
    case .deferredToData:
      try scope(at: key, entry: entry) { try data.encode(to: ValueEncoder(handle: $0)) }
    case .custom(let encode):
      try scope(at: key, entry: entry) {
        try encode(data, ValueEncoder(handle: $0))
        $0.encodeEmptyAtTop()
      }
    }
  }

  /// Makes a value that encoded nothing an empty object, at the top too.
  private func encodeEmptyAtTop() {
    if let record = state.pointee.record(of: token) {
      if state.pointee.records.records[record].kind == .none {
        state.pointee.records.set(record, .dictionary)
      }
    } else if isActive, state.pointee.frames.last.pointee.shape == .empty {
      state.pointee.open(.object)
    }
  }
}
