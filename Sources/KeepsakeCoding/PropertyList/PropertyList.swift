/// Property lists: ``Decoder`` and ``Encoder`` for `Codable` types, ``Value`` for what no type
/// describes, and the formats that keep them in files.
///
/// XML is Apple's `PropertyList-1.0` DTD (<http://www.apple.com/DTDs/PropertyList-1.0.dtd>) in
/// XML 1.0, in UTF-8. Binary is version 00 of Apple's (`CFBinaryPList.c` in
/// <https://github.com/apple-oss-distributions/CF>). OpenStep's text format and strings files are
/// read only.
public enum PropertyList {
  /// The most containers that may be open at once in a property list that is read.
  ///
  /// A value nested deeper is written in full, but is refused when it is read.
  public static let maximumDepth = 512
}
