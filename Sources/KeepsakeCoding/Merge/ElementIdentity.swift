/// What makes an element of an array the same element, no matter what else changes: the `id` of an
/// object, or of the one object in it, as an enumeration with a payload is coded.
enum ElementIdentity {
  /// The identity of an element, if it has one.
  static func of(_ element: JSON.Value) -> JSON.Value? {
    var element = element
    // {"text": {"_0": {"id": …}}}
    for _ in 0..<3 {
      guard case .object(let object) = element else { return nil }
      switch object["id"] {
      case .string?, .number?: return object["id"]
      default: break
      }
      guard object.count == 1 else { return nil }
      element = object[0].value
    }
    return nil
  }

  /// The index of each identity that only one element has.
  static func indices(in elements: [JSON.Value]) -> [JSON.Value: Int] {
    var indices: [JSON.Value: Int] = [:]
    var repeated: [JSON.Value] = []
    for (index, element) in elements.enumerated() {
      guard let identity = of(element) else { continue }
      if indices.updateValue(index, forKey: identity) != nil { repeated.append(identity) }
    }
    for identity in repeated { indices[identity] = nil }
    return indices
  }

  /// Whether each element has an identity of its own.
  static func all(_ elements: [JSON.Value]) -> Bool {
    indices(in: elements).count == elements.count
  }
}
