#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON.Decoder {
  /// How dates are read.
  public enum DateDecodingStrategy: Sendable {
    /// As `Date` decodes itself: the seconds since 2001-01-01T00:00:00Z.
    case deferredToDate
    /// The seconds since 1970-01-01T00:00:00Z.
    case secondsSince1970
    /// The milliseconds since 1970-01-01T00:00:00Z.
    case millisecondsSince1970
    /// Text as RFC 3339 defines it: `2026-11-21T01:02:03Z`, with any offset, and with any fraction
    /// of a second (which Foundation's refuses).
    case iso8601
    /// Text as ``iso8601``, or the seconds since 2001-01-01T00:00:00Z: every date that an encoder with
    /// the strategy of the same name or with `deferredToDate` wrote.
    case iso8601Exact
    /// The result of a function of the value.
    case custom(@Sendable (_ decoder: any Swift.Decoder) throws -> Date)

    /// The same as ``iso8601``: the name of the encoder's counterpart.
    public static var iso8601WithFractionalSeconds: Self { .iso8601 }
  }

  /// How `Data` is read.
  public enum DataDecodingStrategy: Sendable {
    /// As `Data` decodes itself: an array of numbers.
    case deferredToData
    /// Base64 text (RFC 4648, section 4).
    case base64
    /// The result of a function of the value.
    case custom(@Sendable (_ decoder: any Swift.Decoder) throws -> Data)
  }

  /// How the numbers are read that JSON has no text for.
  public enum NonConformingFloatDecodingStrategy: Sendable {
    /// They are refused.
    case `throw`
    /// They are three strings.
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// How the keys of the text become those of a type.
  ///
  /// The keys of a dictionary, as opposed to those of a type, stay as they are.
  public enum KeyDecodingStrategy: Sendable {
    /// They are the same.
    case useDefaultKeys
    /// `one_two_three` becomes `oneTwoThree`; underscores at either end stay.
    case convertFromSnakeCase
    /// ``convertFromKebabCase``, which is not a case, so that an app may declare one of that name.
    case _convertFromKebabCase
    /// The result of a function of the path to the key, the key its last element.
    case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)

    /// `one-two-three` becomes `oneTwoThree`; hyphens at either end stay.
    @_disfavoredOverload
    public static var convertFromKebabCase: Self { ._convertFromKebabCase }
  }
}

extension JSON.DateForm {
  /// - Returns: `nil` for a function of the app.
  init?(_ strategy: JSON.Decoder.DateDecodingStrategy) {
    switch strategy {
    case .deferredToDate: self = .deferredToDate
    case .secondsSince1970: self = .secondsSince1970
    case .millisecondsSince1970: self = .millisecondsSince1970
    case .iso8601: self = .iso8601
    case .iso8601Exact: self = .iso8601Exact
    case .custom: return nil
    }
  }

  var decodingStrategy: JSON.Decoder.DateDecodingStrategy {
    switch self {
    case .deferredToDate: .deferredToDate
    case .secondsSince1970: .secondsSince1970
    case .millisecondsSince1970: .millisecondsSince1970
    case .iso8601, .iso8601WithFractionalSeconds: .iso8601
    case .iso8601Exact: .iso8601Exact
    }
  }
}
