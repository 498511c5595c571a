import KeepsakeCoding

extension TextLocation {
  /// Where in a JSON text the value is that a path leads to, or the last one on the way, for errors
  /// that a type found itself and that know only its key.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  static func find(_ path: [any CodingKey], in text: [UInt8]) -> TextLocation? {
    do throws(JSON.ParseError) {
      try JSON.read(text) { (reader) throws(JSON.Fault) in
        for step in path {
          guard try enter(step, &reader) else { break }
        }
        // The reader is at the white space before the value.
        let offset = text[reader.offset...].firstIndex { !" \t\r\n".utf8.contains($0) }
        throw JSON.Fault(.expectedValue, at: offset ?? reader.offset)
      }
      return nil
    } catch {
      return error.location
    }
  }

  /// Goes to the value of a key, if the value here has it.
  private static func enter(
    _ step: any CodingKey, _ reader: inout JSON.Reader
  ) throws(JSON.Fault) -> Bool {
    var isFirst = true
    if let index = step.intValue, step.stringValue != String(index) {
      try reader.beginArray()
      for _ in 0..<max(0, index) {
        guard try reader.nextElement(&isFirst) else { return false }
        try reader.skipValue()
      }
      return try reader.nextElement(&isFirst)
    }
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      if key.string == step.stringValue { return true }
      try reader.skipValue()
    }
    return false
  }
}
