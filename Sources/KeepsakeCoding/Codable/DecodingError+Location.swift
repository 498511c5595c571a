extension DecodingError {
  /// The location in the file of the value that could not be decoded, if ``JSON/Decoder`` or
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

  /// What is missing to decode a value, where nothing needs to be wrong with the file.
  package var obstacle: (any DecodingObstacle)? {
    guard case .dataCorrupted(let context) = self else { return nil }
    return context.underlyingError as? any DecodingObstacle
  }
}

/// Why a value cannot be decoded though nothing needs to be wrong with the file, such as that its key
/// is not at hand: the underlying error of a `DecodingError`.
package protocol DecodingObstacle: Error {}

/// Where a value is that could not be decoded: the underlying error of a `DecodingError`.
struct DecodingLocation: Error, CustomStringConvertible {
  let location: TextLocation
  var description: String { location.description }

  init(_ location: TextLocation) { self.location = location }
}
