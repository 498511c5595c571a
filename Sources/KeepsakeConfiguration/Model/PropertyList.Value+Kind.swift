#if Configuration
import KeepsakeCoding

extension PropertyList.Value {
  /// The kind of the value in a message.
  var kind: String {
    switch self {
    case .string: "a string"
    case .integer, .unsigned: "a whole number"
    case .real: "a real number"
    case .boolean: "a Boolean"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  var isCollection: Bool {
    switch self {
    case .array, .dictionary: true
    default: false
    }
  }
}
#endif
