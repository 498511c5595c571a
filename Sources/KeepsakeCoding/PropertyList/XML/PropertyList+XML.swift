#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.Value {
  /// Creates the value that an XML property list holds.
  ///
  /// What other tools and people write is read too: whitespace between elements, comments, CDATA sections,
  /// attributes, no DOCTYPE, no `<plist>`. Of two equal keys the last one's value counts.
  ///
  /// - Parameter bytes: The file's bytes, in UTF-8, UTF-16 or UTF-32.
  /// - Throws: ``PropertyList/ParseError`` with the location of the first error: of the structure, of
  ///   a value, of the encoding, an entity that XML does not define, more than
  ///   ``PropertyList/maximumDepth`` containers open.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(parsingXML bytes: [UInt8]) throws(PropertyList.ParseError) {
    let bytes = try PropertyList.utf8(of: bytes) ?? bytes
    self = try PropertyList.parse(bytes, as: .xml)
  }

  /// The value as an XML property list, in the layout of Apple's own tools.
  ///
  /// Equal values give equal bytes: the keys of a dictionary are sorted by their UTF-8 bytes.
  ///
  /// - Returns: The file's bytes, in UTF-8.
  /// - Complexity: O(*n* log *n*) in the number of values, for sorting the keys.
  public func serializedXML() -> [UInt8] {
    let records = Records(self)
    defer { records.free() }
    return PropertyList.XMLWriter.document(records, keepsFractions: true).bytes()
  }
}

extension PropertyList {
  /// Reads an XML property list that holds a dictionary.
  ///
  /// - Parameter bytes: The file's bytes, in UTF-8, UTF-16 or UTF-32.
  /// - Returns: The dictionary's values by key; of two equal keys the last one's value counts.
  /// - Throws: ``ParseError`` as ``Value/init(parsingXML:)`` does, and if the property list holds
  ///   something else than a dictionary.
  /// - Complexity: O(*n*) in the number of bytes.
  package static func dictionary(parsingXML bytes: [UInt8]) throws(ParseError) -> [String: Value] {
    guard case .dictionary(let dictionary) = try Value(parsingXML: bytes) else {
      throw .noDictionary
    }
    return dictionary
  }

  /// Writes an XML property list that holds a dictionary whose entries are sorted already.
  ///
  /// The bytes are those of ``Value/serializedXML()`` if every key ``precedes(_:_:)`` the next.
  ///
  /// - Parameter entries: The entries in the order in which they are written.
  /// - Returns: The file's bytes, in UTF-8.
  /// - Complexity: O(*n*) in the number of values.
  package static func serializeXML(
    sortedEntries entries: some Sequence<(key: String, value: Value)>
  ) -> [UInt8] {
    let records = Records(entries)
    defer { records.free() }
    return XMLWriter.document(records, keepsFractions: true).bytes()
  }
}
