/// The types whose values are written straight to a text.
enum WritableTypes {
  private static let table = TypeTable<(any (JSON.Writable & SendableMetatype).Type)?>()

  /// A type as one whose values write themselves to a text, if they do.
  ///
  /// - Complexity: O(1), beside a dynamic cast for each of the first thousand types, which costs as
  ///   much as encoding hundreds of values and is made when a few were encoded.
  static func find<T>(_ type: T.Type) -> (any (JSON.Writable & SendableMetatype).Type)? {
    let identifier = ObjectIdentifier(type)
    if let known = table.known(of: identifier) { return known }
    guard table.countUse(of: identifier, size: 16) else { return nil }
    let writable = type as? any (JSON.Writable & SendableMetatype).Type
    table.insert(writable, of: identifier)
    return writable
  }
}

extension JSON.Writable {
  /// Writes the one value of a text.
  ///
  /// - Parameter value: Points to a value of this type.
  /// - Returns: Whether it is written; otherwise nothing is.
  static func write(
    at value: UnsafeRawPointer, to writer: inout JSON.Writer, _ dates: JSON.DateForm
  ) -> Bool {
    writer.dates = dates
    do throws(JSON.WriteError) {
      try value.assumingMemoryBound(to: Self.self).pointee.write(to: &writer)
      return true
    } catch {
      writer.truncate(to: 0)
      writer.depth = 0
      return false
    }
  }
}

extension JSON.Writer {
  /// Writes a value of any type, through `Encodable` if the type does not write itself.
  ///
  /// - Throws: ``JSON/WriteError/needsEncoder`` if it cannot be encoded.
  package mutating func encode<T: Encodable>(_ value: T) throws(JSON.WriteError) {
    if let writable = WritableTypes.find(T.self) {
      // From a type to itself.
      return try withUnsafePointer(to: value) { value throws(JSON.WriteError) in
        try writable.append(at: value, to: &self)
      }
    }
    var options = EncodingOptions()
    options.dates = dates.encodingStrategy
    if escapedSlash != UInt8(ascii: "/") { options.outputFormatting = .withoutEscapingSlashes }
    let text: [UInt8]
    do {
      text = try JSON.Encoder.encode(value, options) {
        try $0.encodeRoot(value)
      } result: {
        $0.bytes()
      }
    } catch {
      throw .needsEncoder
    }
    try checkDepth(of: text)
    text.withUnsafeBytes { append($0) }
    append(UInt8(ascii: ","))
  }

  /// Sees that a value does not lie too deep.
  private func checkDepth(of text: [UInt8]) throws(JSON.WriteError) {
    guard depth + text.count / 2 > Self.maximumDepth else { return }
    let levels = Self.maximumDepth - depth
    guard
      (try? JSON.read(text, maximumDepth: levels) { reader throws(JSON.Fault) in
        try reader.skipValue()
      }) != nil
    else { throw .tooDeep }
  }
}

extension JSON.Writable {
  fileprivate static func append(
    at value: UnsafeRawPointer, to writer: inout JSON.Writer
  ) throws(JSON.WriteError) {
    try value.assumingMemoryBound(to: Self.self).pointee.write(to: &writer)
  }
}
