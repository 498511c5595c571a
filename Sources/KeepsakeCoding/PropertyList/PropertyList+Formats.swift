#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList.Value {
  /// Creates the value that a binary property list holds.
  ///
  /// What the format can hold and a value cannot is read so: a set as an array in the file's
  /// order, an identifier of a keyed archive as a dictionary with the key `CF$UID` (as XML has it),
  /// null as the string `$null` (as Foundation's coders write it). Of two equal keys the last one's
  /// value counts.
  ///
  /// - Parameter bytes: The file's bytes, which start with `bplist0`.
  /// - Throws: ``PropertyList/ParseError`` with the offset of the first fault: of the trailer, a
  ///   length or a reference that escapes the file, a container that holds itself, more than
  ///   ``PropertyList/maximumDepth`` containers open, containers that are shared so often that the
  ///   whole would have more than four values for each byte of the file, a whole number of more
  ///   than 64 bits.
  /// - Complexity: O(*n*) in the number of bytes, in time and in memory.
  public init(parsingBinary bytes: [UInt8]) throws(PropertyList.ParseError) {
    self = try PropertyList.parse(bytes, as: .binary)
  }

  /// The value as a binary property list, `bplist00`.
  ///
  /// Equal values give equal bytes: keys are sorted by their UTF-8 bytes, and equal scalars are
  /// written once. A dictionary whose one key is `CF$UID`, with a whole number of 32 bits, is
  /// written as an identifier of a keyed archive.
  ///
  /// - Returns: The file's bytes.
  /// - Complexity: O(*n* log *n*) in the number of values, for sorting the keys.
  public func serializedBinary() -> [UInt8] {
    let records = Records(self)
    defer { records.free() }
    return PropertyList.BinaryWriter.document(records).bytes()
  }

  /// Creates the value that a property list in OpenStep's format holds, or a strings file.
  ///
  /// All scalars are strings or data. Of two equal keys the last one's value counts. A file that
  /// holds nothing is an empty dictionary.
  ///
  /// - Parameter bytes: The file's bytes, in UTF-8, UTF-16 or UTF-32.
  /// - Throws: ``PropertyList/ParseError`` with line and column of the first fault: of the
  ///   structure, of the encoding, more than ``PropertyList/maximumDepth`` containers open.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(parsingOpenStep bytes: [UInt8]) throws(PropertyList.ParseError) {
    let bytes = try PropertyList.utf8(of: bytes) ?? bytes
    self = try PropertyList.parse(bytes, as: .openStep)
  }

  /// Creates the value that a property list in any format holds.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - format: Takes the format that the bytes were found to have.
  /// - Throws: ``PropertyList/ParseError`` with the location of the first error.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(
    parsing bytes: [UInt8], format: inout PropertyList.Format
  ) throws(PropertyList.ParseError) {
    if let utf8 = try PropertyList.utf8(of: bytes) {
      self = try Self(parsing: utf8, format: &format)
      return
    }
    format = bytes.withUnsafeBufferPointer { PropertyList.format(of: $0) }
    self = try PropertyList.parse(bytes, as: format)
  }

  /// Creates the value that a property list in any format holds.
  ///
  /// - Parameter bytes: The file's bytes.
  /// - Throws: ``PropertyList/ParseError`` with the location of the first error.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(parsing bytes: [UInt8]) throws(PropertyList.ParseError) {
    var format = PropertyList.Format.xml
    try self.init(parsing: bytes, format: &format)
  }
}

extension PropertyList {
  /// Reads a value in a format.
  static func parse(_ bytes: [UInt8], as format: Format) throws(ParseError) -> Value {
    try bytes.withUnsafeBufferPointer { buffer throws(ParseError) -> Value in
      do throws(Fault) {
        var tape = try read(buffer, as: format)
        return try tape.value(at: 0)
      } catch {
        throw ParseError.locating([error], in: buffer, format: format)[0]
      }
    }
  }

  /// Makes the tape of a file in a format.
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, as format: Format
  ) throws(Fault) -> Tape {
    switch format {
    case .binary: try BinaryReader.read(bytes)
    case .xml: try XMLReader.read(bytes)
    default: try OpenStepReader.read(bytes)
    }
  }
}
