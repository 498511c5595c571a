extension JSON {
  /// What a reader accepts beside RFC 8259; nothing unless it is asked for.
  public struct Syntax: OptionSet, Sendable, Hashable {
    /// A bit for each part.
    public let rawValue: UInt8

    /// Creates a set from a bit for each part.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `// to the end of the line` and `/* between marks */`, wherever whitespace may stand.
    public static let comments = Self(rawValue: 1)
    /// One comma after the last entry of an object or an array.
    public static let trailingCommas = Self(rawValue: 2)
    /// All of JSON5 (<https://spec.json5.org>), which has comments and trailing commas too.
    public static let json5 = Self(rawValue: 4 | 1 | 2)
    /// An object may be written without its braces, if it is the outermost value.
    public static let topLevelObjectWithoutBraces = Self(rawValue: 8)

    /// JSON5 has all three bits, and this one alone tells it from its parts.
    @usableFromInline var isJSON5: Bool { rawValue & 4 != 0 }
  }
}
