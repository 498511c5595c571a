#if Configuration
import KeepsakeCoding

/// What a decoder stands at.
enum DecodingNode {
  /// A name, whose value the layers are asked for.
  case name(ConfigurationName)
  /// A value within an array of a file.
  case value(PropertyList.Value, Place)
  /// One of the texts that an argument or a variable has.
  case text(String, Place)
  /// A key that a dictionary within an array does not have.
  case absent(Place)
  /// Nothing, of which a fault was noted already: every scalar is a placeholder.
  case placeholder

  /// Where a value within another stands.
  struct Place {
    /// With the places in arrays.
    var name: ConfigurationName
    var layer: ConfigurationLayer
    var path: [String]

    /// The name as the file spells it.
    var spelling: ConfigurationName {
      layer.spelling(of: name, at: path.filter { !$0.hasPrefix("\u{0}") })
    }

    func appending(_ key: String) -> Place {
      Place(name: name.appending(key), layer: layer, path: path + [key])
    }

    func element(_ index: Int) -> Place {
      Place(
        name: ConfigurationName("\(name.spelled)[\(index)]"), layer: layer,
        path: path + [LocationProbe.step(index)])
    }
  }

  /// What has a key, where this is a dictionary.
  func child(_ key: String) -> DecodingNode {
    switch self {
    case .name(let name): return .name(name.appending(key))
    case .value(.dictionary(let values), let place):
      if let value = values[key] { return .value(value, place.appending(key)) }
      let name = ConfigurationName(key)
      for (other, value) in values where ConfigurationName(other) == name {
        return .value(value, place.appending(other))
      }
      return .absent(place.appending(key))
    case .value, .text, .absent, .placeholder: return .placeholder
    }
  }
}
#endif
