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
