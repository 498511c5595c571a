extension JSON {
  /// Which value counts where an object has one key several times; RFC 8259, section 4, leaves it
  /// open.
  public enum DuplicateKeyPolicy: Sendable, Hashable {
    /// The first value counts, as with Foundation's decoder.
    case first
    /// The last value counts, as with most other readers.
    case last
    /// The text is refused.
    case error
  }
}
