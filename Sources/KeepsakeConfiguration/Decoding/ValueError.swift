#if Configuration
import KeepsakeCoding

/// An error of one value.
enum ValueError {
  case missing(ConfigurationName, DecodingNode.Origin? = nil)
  case mismatch(Any.Type, ConfigurationLayers.Content, DecodingNode.Origin)

  /// The error that a decoder throws, as types that try several forms expect it.
  var decodingError: DecodingError {
    let context = DecodingError.Context(codingPath: [], debugDescription: "")
    return switch self {
    case .missing(let name, _): .keyNotFound(AnyCodingKey(stringValue: name.spelled), context)
    case .mismatch(let type, _, _): .typeMismatch(type, context)
    }
  }
}
#endif
