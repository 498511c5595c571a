#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON.Encoder {
  /// The layout of the text.
  public struct OutputFormatting: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Lines are broken, and indented by two spaces.
    public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)

    /// Keys are in the order of their UTF-8.
    public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)

    /// "/" is written unescaped, not as "\/".
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 1 << 3)
  }

  /// How dates are encoded.
  public enum DateEncodingStrategy: Sendable {
    /// As dates encode themselves: seconds since 2001.
    case deferredToDate
    /// As a number of seconds since 1970.
    case secondsSince1970
    /// As a number of milliseconds since 1970.
    case millisecondsSince1970
    /// As RFC 3339 text in whole seconds: `2026-11-21T05:25:52Z`.
    case iso8601
    /// As RFC 3339 text in milliseconds: `2026-11-21T05:25:52.125Z`.
    case iso8601WithFractionalSeconds
    /// As RFC 3339 text with as many digits as restore the same date: `2026-11-21T05:25:52.1250001Z`;
    /// outside the years 1583 to 9999 as seconds since 2001.
    case iso8601Exact
    /// As a function encodes them; nothing encoded is an empty object.
    case custom(@Sendable (Date, any Swift.Encoder) throws -> Void)
  }

  /// How data is encoded.
  public enum DataEncodingStrategy: Sendable {
    /// As data encodes itself: an array of numbers.
    case deferredToData
    /// As base64 text (RFC 4648).
    case base64
    /// As a function encodes it; nothing encoded is an empty object.
    case custom(@Sendable (Data, any Swift.Encoder) throws -> Void)
  }

  /// How numbers that JSON has no text for are encoded.
  public enum NonConformingFloatEncodingStrategy: Sendable {
    /// They are errors.
    case `throw`
    /// As these strings.
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// How keys are changed; those of dictionaries with strings as keys never are.
  public enum KeyEncodingStrategy: Sendable {
    /// They are not.
    case useDefaultKeys
    /// `oneTwoThree` is written as `one_two_three`, `myURLProperty` as `my_url_property`.
    case convertToSnakeCase
    /// ``convertToKebabCase``, which is not a case, so that an app may declare one of that name.
    case _convertToKebabCase
    /// As a function changes them, which gets the whole path to the key.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)

    /// `oneTwoThree` is written as `one-two-three`, `myURLProperty` as `my-url-property`.
    @_disfavoredOverload
    public static var convertToKebabCase: Self { ._convertToKebabCase }
  }
}

extension JSON.DateForm {
  var encodingStrategy: JSON.Encoder.DateEncodingStrategy {
    switch self {
    case .deferredToDate: .deferredToDate
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .iso8601: .iso8601
    case .iso8601WithFractionalSeconds: .iso8601WithFractionalSeconds
    case .iso8601Exact: .iso8601Exact
    }
  }

  /// - Returns: `nil` for a function of the app.
  init?(_ strategy: JSON.Encoder.DateEncodingStrategy) {
    switch strategy {
    case .deferredToDate: self = .deferredToDate
    case .secondsSince1970: self = .secondsSince1970
    case .millisecondsSince1970: self = .millisecondsSince1970
    case .iso8601: self = .iso8601
    case .iso8601WithFractionalSeconds: self = .iso8601WithFractionalSeconds
    case .iso8601Exact: self = .iso8601Exact
    case .custom: return nil
    }
  }
}
