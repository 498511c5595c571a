extension DecodingError {
  /// The place in the file of the value that could not be decoded, if ``JSON/Decoder`` or
  /// ``PropertyList/Decoder`` threw this.
  public var location: TextLocation? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      switch context.underlyingError {
      case let error as DecodingLocation: return error.location
      case let error as JSON.ParseError: return error.location
      case let error as PropertyList.ParseError: return error.location
      default: return nil
      }
    @unknown default: return nil
    }
  }
}

/// Where a value is that could not be decoded: the underlying error of a `DecodingError`.
struct DecodingLocation: Error, CustomStringConvertible {
  let location: TextLocation
  var description: String { location.description }

  init(_ location: TextLocation) { self.location = location }
}
