extension JSON {
  /// What is wrong with a text, and where.
  public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let reason: Fault.Reason
    /// What is wrong, in words, without the place.
    public let message: String
    /// Where it is.
    public let location: Location
    /// The keys and indices that lead to the value at fault, or to what contains it.
    public let path: [Step]

    /// A step from a value to one that it contains.
    public enum Step: Sendable, Hashable, CustomStringConvertible {
      /// To the value of an object's key.
      case key(String)
      /// To an element of an array, counted from 0.
      case index(Int)

      /// The key in quotes, or the index in brackets.
      public var description: String {
        switch self {
        case .key(let key): key.debugDescription
        case .index(let index): "[\(index)]"
        }
      }
    }

    /// The message and the place, then the line itself with a caret below the place.
    public var description: String {
      let way = path.isEmpty ? "" : ", at \(path.map(\.description).joined(separator: " / "))"
      return "\(message) (\(location)\(way))\n\(location.excerpt)"
    }
  }

  /// A place in a text.
  public struct Location: Sendable, Hashable, CustomStringConvertible {
    /// The line, counted from 1; a line ends with a line feed.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int
    /// The distance from the start of the text, in bytes; a byte order mark is not counted.
    public let offset: Int
    /// A piece of the line, and a second line with a caret below the place.
    public let excerpt: String

    /// The line and the column in words.
    public var description: String { "line \(line), column \(column)" }
  }
}

extension JSON.ParseError {
  /// Finds the line, the column and the path of a fault.
  ///
  /// - Complexity: O(*n*) in the offset of the fault.
  @usableFromInline
  init(_ fault: JSON.Fault, in input: JSON.Input, syntax: JSON.Syntax) {
    var places = JSON.PlaceFinder()
    self.init(
      reason: fault.reason, message: fault.reason.message,
      location: places.location(
        of: fault.offset, in: UnsafeBufferPointer(start: input.start, count: input.count)),
      path: JSON.path(to: fault.offset, in: input, syntax: syntax))
  }
}
