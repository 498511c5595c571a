extension JSON {
  /// Why a value has no JSON.
  public enum WriteError: Error, Hashable, Sendable {
    /// A number is infinite or none at all (RFC 8259, section 6).
    case nonConformingNumber(Double)
    /// Objects and arrays lie deeper in one another than ``Writer/maximumDepth``.
    case tooDeep
    /// A text given as a number is none by RFC 8259, section 6.
    case invalidNumber(String)
    /// A value that only an encoder can write, or cannot either; its error says why.
    case needsEncoder
  }
}
