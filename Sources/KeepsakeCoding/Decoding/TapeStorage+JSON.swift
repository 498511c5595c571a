extension TapeStorage {
  /// Reads a text that holds one value.
  convenience init(json input: InputBytes, _ options: DecodingOptions) throws(JSON.ParseError) {
    var reader = Self.reader(of: input, options)
    var tape = Tape(
      input, format: .json, wordCount: min(input.count, Tape.maximumByteCount) / 6)
    do throws(JSON.Fault) {
      // A text of another encoding may have become longer.
      guard input.count <= Tape.maximumByteCount else { throw JSON.Fault(.tooLarge, at: 0) }
      try tape.append(from: &reader, duplicates: options.duplicates)
      try reader.finish()
    } catch {
      throw JSON.ParseError(error, in: input, syntax: options.syntax)
    }
    self.init(tape, options)
  }

  /// Reads the next value of a text that holds several.
  ///
  /// - Parameter offset: Where the value begins, or whitespace before it; afterwards where it ends.
  /// - Returns: `nil` if no value is left.
  static func next(
    in input: InputBytes, _ options: DecodingOptions, at offset: inout Int
  ) throws(JSON.ParseError) -> TapeStorage? {
    var reader = reader(of: input, options)
    reader.position += offset
    // A value takes some eight bytes of most texts.
    var tape = Tape(input, format: .json, wordCount: 40)
    do throws(JSON.Fault) {
      _ = try reader.skipWhitespace()
      if reader.position == reader.end { return nil }
      guard input.count <= Tape.maximumByteCount else { throw JSON.Fault(.tooLarge, at: 0) }
      try tape.append(from: &reader, duplicates: options.duplicates)
      // A bracket or a quote ends a value; a number or a word ends only before something else.
      switch tape.kind(0) {
      case .string, .array, .object: break
      default: if reader.isWithinWord { throw reader.fault(.trailingData) }
      }
    } catch {
      throw JSON.ParseError(error, in: input, syntax: options.syntax)
    }
    offset = reader.offset
    return TapeStorage(tape, options)
  }

  private static func reader(of input: InputBytes, _ options: DecodingOptions) -> JSON.Reader {
    JSON.Reader(input, syntax: options.syntax, maximumDepth: options.maximumDepth)
  }
}
