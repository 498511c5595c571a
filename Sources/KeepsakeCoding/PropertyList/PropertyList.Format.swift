#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  #if canImport(FoundationEssentials)
  /// A format of property lists: `.xml`, `.binary`, or `.openStep`, which is only read.
  ///
  /// It is Foundation's own type, so that code written for Foundation's coders needs no change.
  public typealias Format = PropertyListDecoder.PropertyListFormat
  #else
  /// A format of property lists: `.xml`, `.binary`, or `.openStep`, which is only read.
  ///
  /// It is Foundation's own type, so that code written for Foundation's coders needs no change.
  public typealias Format = PropertyListSerialization.PropertyListFormat
  #endif

  /// The text of a file in UTF-16 or UTF-32, in UTF-8; `nil` if the file has another encoding.
  static func utf8(of bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> [UInt8]? {
    let bytes = UnsafeRawBufferPointer(bytes)
    guard let encoding = WideEncoding(of: bytes) else { return nil }
    do throws(WideEncoding.InvalidUnit) {
      return try encoding.utf8(of: bytes)
    } catch {
      throw Fault(
        offset: error.offset, path: [],
        message: "a unit that is not valid UTF-\(encoding.unit * 8)")
    }
  }

  /// The text of a file in UTF-16 or UTF-32, in UTF-8; `nil` if the file has another encoding.
  static func utf8(of bytes: [UInt8]) throws(ParseError) -> [UInt8]? {
    try bytes.withUnsafeBufferPointer { buffer throws(ParseError) in
      do throws(Fault) { return try utf8(of: buffer) } catch {
        throw ParseError.locating([error], in: buffer)[0]
      }
    }
  }

  /// Whether a file begins as binary property lists do.
  static func isBinary(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.starts(with: "bplist".utf8)
  }

  /// The format of a file that is not in OpenStep's, as a damaged XML file may seem to be.
  static func binaryOrXML(_ bytes: UnsafeBufferPointer<UInt8>) -> Format {
    isBinary(bytes) ? .binary : .xml
  }

  /// The format that a file's first bytes show.
  ///
  /// A binary property list starts with `bplist`; XML with `<`, but for the `<` of OpenStep's data,
  /// which a hexadecimal digit, a space or `>` follows. All else is OpenStep's.
  ///
  /// - Parameter bytes: The file's bytes, of which the first few are looked at.
  /// - Returns: The format in which the bytes can be read, if in any.
  /// - Complexity: O(*n*) in the length of the whitespace at the start.
  static func format(of bytes: UnsafeBufferPointer<UInt8>) -> Format {
    if isBinary(bytes) { return .binary }
    var offset = bytes.starts(with: "\u{FEFF}".utf8) ? 3 : 0
    while offset < bytes.count, XMLScanner.isWhitespace(bytes[offset]) { offset += 1 }
    // Of nothing at all the XML reader says best that it holds nothing.
    guard offset < bytes.count else { return .xml }
    guard bytes[offset] == UInt8(ascii: "<") else { return .openStep }
    guard offset + 1 < bytes.count else { return .xml }
    switch bytes[offset + 1] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: " "), UInt8(ascii: ">"):
      return .openStep
    case UInt8(ascii: "a")...UInt8(ascii: "f"):
      // Of the names of elements, four begin with what may be two digits: <data>, <date>, <dict>,
      // <false/>, <array>; the second letter is no digit but in the first two.
      guard offset + 2 < bytes.count else { return .xml }
      let isTag = bytes[(offset + 1)...].starts(with: "dat".utf8)
      let second = bytes[offset + 2]
      let isDigit = second &- UInt8(ascii: "0") < 10 || second &- UInt8(ascii: "a") < 6
      return isDigit && !isTag && !bytes[(offset + 1)...].starts(with: "false".utf8)
        ? .openStep : .xml
    default: return .xml
    }
  }
}
