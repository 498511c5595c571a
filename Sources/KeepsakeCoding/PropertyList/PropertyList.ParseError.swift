#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PropertyList {
  /// What is wrong with a property list, and where.
  public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The format that the property list was read in.
    public let format: Format
    /// The line, counted from 1; a line ends with a line feed. A binary property list has no lines,
    /// but for one.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars (not in bytes); 1 in a binary property list.
    public let column: Int
    /// The distance from the start of the file, in bytes.
    public let offset: Int
    /// The keys, and the places in arrays counted from 0, that lead to the value at fault;
    /// empty outside every container.
    public let path: [String]
    /// What is wrong, in words, without the place.
    public let message: String

    /// The place and the message, in one line.
    public var description: String {
      let value =
        path.isEmpty ? "" : ", in \(path.map { $0.debugDescription }.joined(separator: " / "))"
      let place = format == .binary ? "byte \(offset)" : "line \(line), column \(column)"
      return "\(place)\(value): \(message)"
    }
  }

  /// What a reader throws: an error whose line has not been counted yet.
  struct Fault: Error {
    var offset: Int
    var path: [String]
    var message: String
  }
}

extension PropertyList.ParseError {
  /// The property list is valid, but not of use where a dictionary is needed.
  static let noDictionary = Self(
    format: .xml, line: 1, column: 1, offset: 0, path: [],
    message: "the property list holds another value than a dictionary")

  /// Counts the lines and columns of several faults in one pass.
  static func locating(
    _ faults: [PropertyList.Fault], in bytes: UnsafeBufferPointer<UInt8>,
    format: PropertyList.Format = .xml
  ) -> [Self] {
    if format == .binary {
      return faults.map { fault in
        Self(
          format: format, line: 1, column: 1, offset: fault.offset, path: fault.path,
          message: fault.message)
      }
    }
    var place = LineCounter()
    return faults.sorted { $0.offset < $1.offset }.map { fault in
      place.move(to: fault.offset, in: bytes)
      return Self(
        format: format, line: place.line, column: place.column, offset: fault.offset,
        path: fault.path,
        message: fault.message)
    }
  }
}
