extension JSON {
  /// Finds what is wrong with a text: not the first fault alone, as reading does, but one after
  /// another, for an editor, or to repair the text by hand.
  ///
  /// After a fault it goes on at the next comma or closing bracket, so one mistake seldom gives
  /// more than one fault.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - syntax: What is accepted beside RFC 8259.
  ///   - limit: The most faults that are looked for.
  /// - Returns: The faults in the order of the text; none if the text is valid.
  /// - Complexity: O(*n*) in the number of bytes for each fault.
  public static func faults(
    in bytes: [UInt8], syntax: Syntax = [], limit: Int = 100
  ) -> [ParseError] {
    let input = bytes.withUnsafeBytes { InputBytes(copying: $0) }
    defer { withExtendedLifetime(input) {} }
    var search = FaultSearch(
      reader: Reader(input, syntax: syntax, maximumDepth: defaultMaximumDepth),
      limit: limit)
    search.run()
    return search.faults.map { ParseError($0, in: input, syntax: syntax) }
  }

  /// A reader that notes a fault and goes on.
  private struct FaultSearch: ~Copyable {
    var reader: Reader
    var limit: Int
    var faults: [Fault] = []

    init(reader: consuming Reader, limit: Int) {
      self.reader = reader
      self.limit = limit
    }

    mutating func run() {
      value()
      while faults.count < limit {
        do throws(Fault) {
          return try reader.finish()
        } catch {
          note(error)
          // A second value, or a bracket too many: once is enough.
          return
        }
      }
    }

    private mutating func note(_ fault: Fault) {
      if faults.count < limit, faults.last?.offset != fault.offset { faults.append(fault) }
    }

    private mutating func value() {
      do throws(Fault) {
        switch try reader.skipWhitespace() {
        case UInt8(ascii: "{"):
          try reader.beginObject()
          entries(closing: UInt8(ascii: "}"))
        case UInt8(ascii: "["):
          try reader.beginArray()
          entries(closing: UInt8(ascii: "]"))
        default: try reader.skipValue()
        }
      } catch {
        note(error)
        recover(from: error)
      }
    }

    /// Reads the entries of an open object or array, and its end.
    private mutating func entries(closing bracket: UInt8) {
      var isFirst = true
      while faults.count < limit {
        do throws(Fault) {
          let byte = try reader.skipWhitespace()
          if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
            if byte != bracket { note(reader.fault(separatorReason(bracket))) }
            return reader.close()
          }
          if reader.position >= reader.end { throw reader.fault(.unexpectedEnd) }
          if !isFirst {
            if byte == UInt8(ascii: ",") {
              reader.position += 1
              let next = try reader.skipWhitespace()
              if next == bracket {
                if !reader.syntax.contains(.trailingCommas) {
                  note(reader.fault(bracket == UInt8(ascii: "}") ? .expectedKey : .expectedValue))
                }
                continue
              }
            } else {
              // The next entry is taken to begin here.
              note(reader.fault(separatorReason(bracket)))
            }
          }
          isFirst = false
          if bracket == UInt8(ascii: "}") { try key() }
          value()
        } catch {
          note(error)
          if reader.position >= reader.end { return }
          isFirst = false
          recover(from: error)
        }
      }
    }

    private func separatorReason(_ bracket: UInt8) -> Fault.Reason {
      bracket == UInt8(ascii: "}") ? .expectedCommaOrBrace : .expectedCommaOrBracket
    }

    private mutating func key() throws(Fault) {
      if reader.position.pointee == UInt8(ascii: "\"") {
        _ = try reader.scanString()
      } else {
        _ = try reader.scanUnusualKey()
      }
      guard try reader.skipWhitespace() == UInt8(ascii: ":") else {
        throw reader.fault(.expectedColon)
      }
      reader.position += 1
    }

    /// Goes to the next comma or closing bracket, past brackets that are opened on the way, and
    /// past the rest of a string that the fault is in.
    private mutating func recover(from fault: Fault) {
      switch fault.reason {
      case .invalidEscape, .loneSurrogate, .controlCharacter, .invalidUTF8:
        skipString(after: fault.offset)
      default: break
      }
      var depth = 0
      while reader.position < reader.end {
        switch reader.position.pointee {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return
        default: break
        }
        reader.position += 1
      }
    }

    /// Goes behind the quote that ends a string, if one does in its line.
    private mutating func skipString(after offset: Int) {
      var next = max(reader.position, reader.start + offset)
      // More likely the quote was forgotten at the end of the line.
      if next.pointee == UInt8(ascii: "\n") || next.pointee == UInt8(ascii: "\r") { return }
      if next < reader.end, next.pointee == UInt8(ascii: "\\") { next += 1 }
      while next < reader.end {
        next += 1
        switch next.pointee {
        case UInt8(ascii: "\""):
          reader.position = next + 1
          return
        case UInt8(ascii: "\\"): next += 1
        case UInt8(ascii: "\n"): return
        default: break
        }
      }
    }
  }
}
