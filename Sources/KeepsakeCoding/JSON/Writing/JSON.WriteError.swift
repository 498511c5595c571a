#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// The reason that a value cannot be written as JSON.
  @nonexhaustive public enum WriteError: LocalizedError, Hashable, Sendable, CustomStringConvertible
  {
    /// A number is infinite or none at all (RFC 8259, section 6).
    case nonConformingNumber(Double)
    /// Objects and arrays lie deeper in one another than ``Writer/maximumDepth``.
    case tooDeep
    /// A text given as a number is none by RFC 8259, section 6.
    case invalidNumber(String)
    /// A value that only an encoder can write, or cannot either; its error says why.
    case needsEncoder

    /// One sentence.
    public var description: String {
      switch self {
      case .nonConformingNumber(let number): "the number \(number) cannot be written as JSON"
      case .tooDeep: "too many objects and arrays are open at once"
      case .invalidNumber(let text): "'\(text.prefix(100))' is not a number in JSON"
      case .needsEncoder: "only an encoder can write this value"
      }
    }

    /// The description.
    public var errorDescription: String? { description }
  }
}
