extension JSON {
  /// The strategies for dates that need no function of the app.
  enum DateForm: UInt8, Sendable {
    case deferredToDate
    case secondsSince1970
    case millisecondsSince1970
    case iso8601
    case iso8601WithFractionalSeconds
    case iso8601Exact
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
