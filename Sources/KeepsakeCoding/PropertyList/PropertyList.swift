/// Property lists: the values they hold, and the XML format that keeps them in files.
///
/// The format is Apple's `PropertyList-1.0` DTD
/// (<http://www.apple.com/DTDs/PropertyList-1.0.dtd>) in XML 1.0, in UTF-8.
public enum PropertyList {
  /// The most containers that may be open at once in a property list that is read.
  ///
  /// A value nested deeper is written in full, but is refused when it is read.
  public static let maximumDepth = 512
}
