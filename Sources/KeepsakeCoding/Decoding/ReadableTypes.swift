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
  /// Reads a value into memory that is not initialized: one that is returned would be copied where
  /// its type is not known.
  fileprivate static func read(
    from reader: inout JSON.Reader, into memory: UnsafeMutableRawPointer
  ) throws(JSON.Fault) {
    memory.initializeMemory(as: Self.self, to: try Self(from: &reader))
  }
}

extension JSON.Readable {
  /// Reads the one value of a text into memory that is not initialized.
  ///
  /// - Throws: A fault if the text is not such a value; the memory is not initialized then.
  static func readAll(
    of input: InputBytes, _ options: DecodingOptions.Direct, into memory: UnsafeMutableRawPointer
  ) throws(JSON.Fault) {
    defer { withExtendedLifetime(input) {} }
    var reader = JSON.Reader(input, syntax: [], maximumDepth: options.maximumDepth)
    reader.dates = options.dates
    try read(from: &reader, into: memory)
    do {
      try reader.finish()
    } catch {
      memory.assumingMemoryBound(to: Self.self).deinitialize(count: 1)
      throw error
    }
  }
}

extension JSON.Reader {
  /// Reads a value of any type, through `Decodable` if the type does not read itself.
  ///
  /// - Throws: A fault where the value begins if it cannot be decoded.
  package mutating func decode<T: Decodable>(_ type: T.Type) throws(JSON.Fault) -> T {
    _ = try skipWhitespace()
    if let readable = ReadableTypes.find(type, size: 32) {
      let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
      defer { memory.deallocate() }
      try readable.read(from: &self, into: memory)
      return memory.move()
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
