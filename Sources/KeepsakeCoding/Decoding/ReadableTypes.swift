/// The types that are read straight from a text.
enum ReadableTypes {
  private static let table = TypeTable<(any (JSON.Readable & SendableMetatype).Type)?>()

  /// A type as one that reads itself from a text, if it does.
  ///
  /// - Parameter size: The length of the text in bytes. To ask costs as much as decoding hundreds of
  ///   values, at the first time, and is not worthwhile for a few.
  /// - Complexity: O(1), beside a dynamic cast for each of the first thousand types.
  static func find<T>(_ type: T.Type, size: Int) -> (any (JSON.Readable & SendableMetatype).Type)? {
    let identifier = ObjectIdentifier(type)
    if let known = table.known(of: identifier) { return known }
    guard table.countUse(of: identifier, size: 1 + size / 32) else { return nil }
    let readable = type as? any (JSON.Readable & SendableMetatype).Type
    table.insert(readable, of: identifier)
    return readable
  }
}

extension JSON.Readable {
  /// Reads the one value of a text.
  ///
  /// - Parameter type: This type.
  /// - Returns: `nil` if the text is not such a value, for whatever reason.
  static func value<T>(
    _ type: T.Type, of input: InputBytes, _ options: DecodingOptions, _ dates: JSON.DateForm
  ) -> T? {
    defer { withExtendedLifetime(input) {} }
    var reader = JSON.Reader(input, syntax: options.syntax, maximumDepth: options.maximumDepth)
    reader.dates = dates
    guard let value = try? value(type, from: &reader), (try? reader.finish()) != nil else {
      return nil
    }
    return value
  }

  /// Reads a value.
  ///
  /// - Parameter type: This type.
  fileprivate static func value<T>(
    _ type: T.Type, from reader: inout JSON.Reader
  ) throws(JSON.Fault) -> T {
    // From a type to itself; a call of the initializer itself would return a box.
    unsafeBitCast(try Self(from: &reader), to: type)
  }
}

extension JSON.Reader {
  /// Reads a value of any type, through `Decodable` if the type does not read itself.
  ///
  /// - Throws: A fault where the value begins if it cannot be decoded.
  package mutating func decode<T: Decodable>(_ type: T.Type) throws(JSON.Fault) -> T {
    _ = try skipWhitespace()
    if let readable = ReadableTypes.find(type, size: 32) {
      return try readable.value(type, from: &self)
    }
    let opening = offset
    var options = DecodingOptions()
    options.date = dates.decodingStrategy
    options.syntax = syntax
    var tape = Tape(input.takeUnretainedValue(), format: .json, wordCount: 40)
    try tape.append(from: &self, duplicates: options.duplicates)
    let storage = TapeStorage(tape, options)
    storage.values.state.pointee.origin = opening
    do {
      return try storage.decode { try $0.decode(type) }
    } catch {
      throw JSON.Fault(.expectedValue, at: opening)
    }
  }
}
