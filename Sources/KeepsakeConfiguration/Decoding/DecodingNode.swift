#if Configuration
import KeepsakeCoding

/// What a decoder decodes from.
enum DecodingNode {
  /// A name, whose value is looked up in the layers.
  case name(ConfigurationName)
  /// A value inside an array of a file.
  case value(PropertyList.Value, Origin)
  /// One of several texts of an argument or a variable.
  case text(String, Origin)
  /// A key that is missing from a dictionary inside an array.
  case absent(Origin)
  /// A value whose error is already recorded: every scalar is a placeholder.
  case placeholder

  /// The origin of a value that is inside another.
  struct Origin {
    /// The name, with the indices in arrays.
    var name: ConfigurationName
    var layer: ConfigurationLayer
    var path: [String]
    /// Whether strings are read as the requested type.
    var isUntyped = false

    /// The name as the file spells it.
    var spelling: ConfigurationName {
      layer.spelling(of: name, at: path.filter { !$0.hasPrefix("\u{0}") })
    }

    func appending(_ key: String) -> Origin {
      Origin(name: name.appending(key), layer: layer, path: path + [key], isUntyped: isUntyped)
    }

    func element(_ index: Int) -> Origin {
      Origin(
        name: ConfigurationName("\(name.spelled)[\(index)]"), layer: layer,
        path: path + [LocationProbe.step(index)], isUntyped: isUntyped)
    }
  }

  /// The node of a key if this is a dictionary.
  func child(_ key: String) -> DecodingNode {
    switch self {
    case .name(let name): return .name(name.appending(key))
    case .value(.dictionary(let values), let origin):
      if let value = values[key] { return .value(value, origin.appending(key)) }
      let name = ConfigurationName(key)
      for (other, value) in values where ConfigurationName(other) == name {
        return .value(value, origin.appending(other))
      }
      return .absent(origin.appending(key))
    case .value, .text, .absent, .placeholder: return .placeholder
    }
  }
}
#endif
