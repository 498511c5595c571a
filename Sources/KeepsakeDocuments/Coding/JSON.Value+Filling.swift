import KeepsakeCoding

extension JSON.Value {
  /// Takes what stands at a path of another value, where this one lacks only the last key of it.
  ///
  /// Nothing else is taken: that a key is not there may be how a value says what it is, such as the
  /// case of an enumeration or an entry of a dictionary that was removed.
  ///
  /// - Returns: Whether it was there to be taken.
  mutating func fill(_ path: [any CodingKey], from defaults: JSON.Value) -> Bool {
    fill(path[...], from: defaults)
  }

  private mutating func fill(_ path: ArraySlice<any CodingKey>, from defaults: JSON.Value) -> Bool {
    // An element of an array is never the same as one of the defaults.
    guard let key = path.first?.stringValue, case .object(var object) = self,
      case .object(let defaults) = defaults, let found = defaults[key]
    else { return false }
    if path.count == 1 {
      guard object[key] == nil else { return false }
      object[key] = found
    } else {
      guard var member = object[key], member.fill(path.dropFirst(), from: found) else {
        return false
      }
      object[key] = member
    }
    self = .object(object)
    return true
  }
}
