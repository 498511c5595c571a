#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import KeepsakeBase

extension PropertyList {
  /// Decodes values from property lists, as Foundation's `PropertyListDecoder` does, several times
  /// as fast.
  ///
  /// ```swift
  /// let card = try PropertyList.Decoder().decode(Card.self, from: data)
  /// ```
  ///
  /// With `typealias PropertyListDecoder = PropertyList.Decoder` code that is written for
  /// Foundation's needs no change. The format is found out: XML, binary or OpenStep's. Errors are
  /// `DecodingError`s whose description names the location in the file, too: line and column, or in a
  /// binary file the byte.
  ///
  /// One decoder can be used by many threads at once.
  public final class Decoder: Sendable {
    /// A format of property lists.
    public typealias PropertyListFormat = PropertyList.Format

    private let options: Mutex<DecodingOptions>

    /// Creates a decoder.
    public init() {
      var options = DecodingOptions()
      options.duplicates = .last
      self.options = Mutex(options)
    }

    /// What types that decode themselves can look up.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
      get { options.withLock { $0.userInfo } }
      set { options.withLock { $0.userInfo = newValue } }
    }
  }
}

extension PropertyList.Decoder {
  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - data: The bytes of a property list in any format.
  /// - Returns: The value.
  /// - Throws: `DecodingError.dataCorrupted` if the bytes are no property list, with a
  ///   ``PropertyList/ParseError`` as the underlying error; `DecodingError` if it holds something
  ///   else than the type asks for; what the type throws.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    var format = PropertyListFormat.binary
    return try decode(type, from: data, format: &format)
  }

  /// Decodes a value, and tells the format.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - data: The bytes of a property list in any format.
  ///   - format: Takes the format, once the value has been decoded.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)`` does.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: Decodable>(
    _ type: T.Type, from data: Data, format: inout PropertyListFormat
  ) throws -> T {
    try data.withUnsafeBytes { bytes in
      try decode(bytes.assumingMemoryBound(to: UInt8.self), format: &format) {
        try $0.decode(type)
      }
    }
  }

  /// Decodes a value from bytes, which are not copied.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - bytes: The bytes of a property list in any format.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)`` does.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    var format = PropertyListFormat.binary
    return try decode(type, from: bytes, format: &format)
  }

  /// Decodes a value from bytes, which are not copied, and tells the format.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - bytes: The bytes of a property list in any format.
  ///   - format: Takes the format, once the value has been decoded.
  /// - Returns: The value.
  /// - Throws: As ``decode(_:from:)-(_,Data)`` does.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode<T: Decodable>(
    _ type: T.Type, from bytes: [UInt8], format: inout PropertyListFormat
  ) throws -> T {
    try bytes.withUnsafeBufferPointer { bytes in
      try decode(bytes, format: &format) { try $0.decode(type) }
    }
  }

  /// Decodes a value from a property list in memory, without bytes between.
  ///
  /// A `Date` is read from a date and, here only, from a number of seconds since 1 January 2001
  /// (UTC).
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - value: The property list.
  /// - Returns: The value.
  /// - Throws: `DecodingError` if the property list holds something else than the type asks for;
  ///   what the type throws.
  /// - Complexity: O(*n*) in the number of values and bytes.
  public func decode<T: Decodable>(_ type: T.Type, from value: PropertyList.Value) throws -> T {
    try TapeStorage(Tape(value), options.withLock { $0 }).decode { try $0.decode(type) }
  }

  /// Decodes from the tape of a file.
  func decode<T>(
    _ bytes: UnsafeBufferPointer<UInt8>, format: inout PropertyListFormat,
    _ body: (ValueDecoder) throws -> T
  ) throws -> T {
    let found = PropertyList.format(of: bytes)
    let utf8: [UInt8]?
    do throws(PropertyList.Fault) {
      utf8 = try PropertyList.utf8(of: bytes)
    } catch {
      throw Self.invalid(error, bytes, found)
    }
    if let utf8 {
      return try utf8.withUnsafeBufferPointer { try decode($0, format: &format, body) }
    }
    var storage: TapeStorage
    do throws(PropertyList.Fault) {
      storage = TapeStorage(try PropertyList.read(bytes, as: found), options.withLock { $0 })
    } catch {
      throw Self.invalid(error, bytes, found)
    }
    defer {
      // A decoder or container may have been kept.
      if !isKnownUniquelyReferenced(&storage) { storage.keepInput() }
    }
    let result = try storage.decode(body)
    format = found
    return result
  }

  @inline(never)
  private static func invalid(
    _ fault: PropertyList.Fault, _ bytes: UnsafeBufferPointer<UInt8>, _ format: PropertyListFormat
  ) -> DecodingError {
    let error = PropertyList.ParseError.locating([fault], in: bytes, format: format)[0]
    return .dataCorrupted(
      DecodingError.Context(
        codingPath: error.path.map { AnyCodingKey(key: $0) },
        debugDescription: "The given data was not a valid property list: \(error)",
        underlyingError: error))
  }
}
