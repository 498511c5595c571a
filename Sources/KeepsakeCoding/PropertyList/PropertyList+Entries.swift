extension PropertyList {
  /// A value as it is read: text is not copied.
  package enum EntryValue {
    /// Text, in UTF-8.
    case text(UnsafeBufferPointer<UInt8>)
    /// Any other value.
    case value(Value)

    /// The value, with a copy of its text.
    var value: Value {
      switch self {
      case .text(let text): .string(String(decoding: text, as: UTF8.self))
      case .value(let value): value
      }
    }
  }

  /// Reads a dictionary from an XML or binary property list, entry by entry.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes; of XML in UTF-8, UTF-16 or UTF-32.
  ///   - body: Receives each key, in UTF-8, and its value, in the file's order; of two keys of the same
  ///     bytes only the last.
  /// - Throws: ``ParseError`` as ``dictionary(parsingXML:)`` does; what `body` received is then void.
  /// - Complexity: O(*n*) in the number of bytes.
  package static func forEachEntry(
    parsing bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>, EntryValue) -> Void
  ) throws(ParseError) {
    if let utf8 = try utf8(of: bytes) { return try forEachEntry(parsing: utf8, body) }
    let failure = bytes.withUnsafeBufferPointer { buffer -> ParseError? in
      do throws(Fault) {
        var tape = try read(buffer, as: binaryOrXML(buffer))
        guard tape.is(.object, 0) else { return .noDictionary }
        try tape.forEachEntry(body)
        return nil
      } catch {
        return ParseError.locating([error], in: buffer, format: binaryOrXML(buffer))[0]
      }
    }
    if let failure { throw failure }
  }
}

extension Tape {
  fileprivate mutating func forEachEntry(
    _ body: (UnsafeBufferPointer<UInt8>, PropertyList.EntryValue) -> Void
  ) throws(PropertyList.Fault) {
    var key = Self.objectHeader
    let end = self.end(0)
    while key < end {
      let value = value(ofKey: key)
      if !isSuperseded(key) {
        let name = string(key)
        let bytes = UnsafeBufferPointer(start: name.start, count: name.count)
        if self.is(.string, value) {
          let text = string(value)
          body(bytes, .text(UnsafeBufferPointer(start: text.start, count: text.count)))
        } else {
          body(bytes, .value(try self.value(at: value)))
        }
      }
      key = next(value)
    }
  }
}
