#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
  /// What a reader throws: what is wrong, and at which byte.
  ///
  /// It is two words without a reference, so throwing costs a reader nothing until it happens.
  /// Line, column and path are computed from the offset when they are requested: see ``ParseError``.
  public struct Fault: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public var reason: Reason
    /// The distance from the start of the text, in bytes.
    public var offset: Int

    /// Creates a fault.
    @inlinable public init(_ reason: Reason, at offset: Int) {
      self.reason = reason
      self.offset = offset
    }

    /// What is wrong, and at which byte.
    public var description: String { "\(reason.message) (byte \(offset))" }

    /// The description.
    public var errorDescription: String? { description }
  }
}

extension JSON.Fault {
  /// What can be wrong with a text.
  @nonexhaustive public enum Reason: UInt8, Sendable, Hashable {
    case unexpectedEnd
    case unexpectedCharacter
    case expectedValue
    case expectedKey
    case expectedColon
    case expectedCommaOrBrace
    case expectedCommaOrBracket
    case trailingData
    case unterminatedString
    case controlCharacter
    case invalidEscape
    case loneSurrogate
    case invalidUTF8
    case invalidEncoding
    case leadingZero
    case invalidNumber
    case unterminatedComment
    case duplicateKey
    case tooDeep
    case tooLarge
    case expectedObject
    case expectedArray
    case expectedString
    case expectedNumber
    case expectedBoolean
    case numberOutOfRange
    case missingKey

    /// The reason in words.
    public var message: String {
      switch self {
      case .unexpectedEnd: "the text ends in the middle of a value"
      case .unexpectedCharacter: "this character has no meaning here"
      case .expectedValue: "a value should be here"
      case .expectedKey: "a key in double quotes should be here"
      case .expectedColon: "a colon should follow the key"
      case .expectedCommaOrBrace: "a comma or a closing brace should be here"
      case .expectedCommaOrBracket: "a comma or a closing bracket should be here"
      case .trailingData: "something follows the end of the value"
      case .unterminatedString: "the string has no closing quote"
      case .controlCharacter: "a control character in a string must be escaped"
      case .invalidEscape: "this is no escape sequence of JSON"
      case .loneSurrogate: "half of a surrogate pair stands alone"
      case .invalidUTF8: "these bytes are not UTF-8"
      case .invalidEncoding: "these bytes are no character of the text's encoding"
      case .leadingZero: "a number may not begin with a zero before other digits"
      case .invalidNumber: "this is not a JSON number"
      case .unterminatedComment: "the comment has no end"
      case .duplicateKey: "the object has this key already"
      case .tooDeep: "too many objects and arrays are open at once"
      case .tooLarge: "the text is larger than is allowed"
      case .expectedObject: "an object should be here"
      case .expectedArray: "an array should be here"
      case .expectedString: "a string should be here"
      case .expectedNumber: "a number should be here"
      case .expectedBoolean: "true or false should be here"
      case .numberOutOfRange: "the number does not fit its type"
      case .missingKey: "a key is missing from the object"
      }
    }
  }
}
