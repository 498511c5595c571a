#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// What is wrong with a text, and where.
  public struct ParseError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let reason: Fault.Reason
    /// What is wrong, in words, without the location.
    public let message: String
    /// Where it is.
    public let location: TextLocation
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

    /// The message and the location, then the line itself with a caret below it.
    public var description: String {
      let way = path.isEmpty ? "" : ", at \(path.map(\.description).joined(separator: " / "))"
      return "\(message) (\(location)\(way))\n\(location.excerpt)"
    }

    /// The description.
    public var errorDescription: String? { description }
  }
}

extension JSON.ParseError {
  /// Finds the line, the column and the path of a fault.
  ///
  /// - Complexity: O(*n*) in the offset of the fault.
  @usableFromInline
  init(_ fault: JSON.Fault, in input: InputBytes, syntax: JSON.Syntax) {
    var locations = LocationFinder()
    self.init(
      reason: fault.reason, message: fault.reason.message,
      location: locations.location(
        of: fault.offset, in: UnsafeBufferPointer(start: input.start, count: input.count)),
      // What is not the text that its first bytes announce has no values that a path could name.
      path: fault.reason == .invalidEncoding
        ? [] : JSON.path(to: fault.offset, in: input, syntax: syntax))
  }
}
