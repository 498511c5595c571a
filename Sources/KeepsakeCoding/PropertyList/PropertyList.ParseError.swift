#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// What is wrong with a property list, and where.
  public struct ParseError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The format that the property list was read in.
    public let format: Format
    /// Where it is.
    public let location: TextLocation
    /// The keys, and the indices in arrays, that lead to the value at fault;
    /// empty outside every container.
    public let path: [String]
    /// What is wrong, in words, without the location.
    public let message: String

    /// The location and the message, in one line.
    public var description: String {
      let value =
        path.isEmpty ? "" : ", in \(path.map { $0.debugDescription }.joined(separator: " / "))"
      return "\(location)\(value): \(message)"
    }

    /// The description.
    public var errorDescription: String? { description }
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
    format: .xml, location: TextLocation(line: 1, column: 1, offset: 0, excerpt: ""), path: [],
    message: "the property list holds another value than a dictionary")

  /// Counts the lines and columns of several faults in one pass.
  static func locating(
    _ faults: [PropertyList.Fault], in bytes: UnsafeBufferPointer<UInt8>,
    format: PropertyList.Format = .xml
  ) -> [Self] {
    if format == .binary {
      return faults.map { fault in
        Self(
          format: format, location: TextLocation(byte: fault.offset), path: fault.path,
          message: fault.message)
      }
    }
    var locations = LocationFinder()
    return faults.sorted { $0.offset < $1.offset }.map { fault in
      Self(
        format: format, location: locations.location(of: fault.offset, in: bytes),
        path: fault.path, message: fault.message)
    }
  }
}
