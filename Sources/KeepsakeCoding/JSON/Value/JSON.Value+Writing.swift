extension JSON.Value {
  /// The value as JSON, objects with their keys in order.
  ///
  /// - Parameters:
  ///   - prettyPrinted: Whether lines are broken and indented as Foundation does it.
  ///   - sortedKeys: Whether the keys of every object are sorted by their UTF-8 bytes, so that
  ///     equal values whose numbers are written alike give equal bytes.
  /// - Throws: ``JSON/WriteError/tooDeep`` if more than ``JSON/Writer/maximumDepth`` objects and
  ///   arrays lie in one another.
  /// - Complexity: O(*n*) in the number of values; O(*n* log *n*) with sorted keys.
  public func serialized(
    prettyPrinted: Bool = false, sortedKeys: Bool = false
  ) throws(JSON.WriteError) -> [UInt8] {
    var writer = JSON.Writer()
    try write(to: &writer, sortedKeys: sortedKeys)
    return writer.finish(prettyPrinted: prettyPrinted)
  }

  private func write(
    to writer: inout JSON.Writer, sortedKeys: Bool
  ) throws(JSON.WriteError) {
    switch self {
    case .null: writer.writeNull()
    case .bool(let value): writer.write(value)
    case .number(let number): writer.writeUnescaped(number.text)
    case .string(let text): writer.write(text)
    case .array(let array):
      try writer.beginArray()
      for element in array { try element.write(to: &writer, sortedKeys: sortedKeys) }
      writer.endArray()
    case .object(let object):
      try writer.beginObject()
      let entries = sortedKeys ? object.sorted { $0.key < $1.key } : Array(object)
      for (key, value) in entries {
        writer.key(key)
        try value.write(to: &writer, sortedKeys: sortedKeys)
      }
      writer.endObject()
    }
  }
}

extension JSON.Value: JSON.Writable {
  /// Writes the value, objects with their keys in order.
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try write(to: &writer, sortedKeys: false)
  }
}

extension JSON.Value: CustomStringConvertible {
  /// The value as JSON, in one line.
  public var description: String {
    guard let bytes = try? serialized() else { return "(nested too deeply)" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
