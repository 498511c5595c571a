/// A property wrapper that is given its storage by the node of the view it belongs to.
@MainActor
protocol LinkedProperty {
  func link(to node: ViewNode, at index: Int)
}

extension ViewNode {
  /// Where views of a type have properties to link: examining the others takes long.
  private static var linkedIndices: [ObjectIdentifier: [Int]] = [:]

  /// Gives the properties of a fresh view value what belongs to this node.
  func linkProperties<Content: View>(of view: Content) {
    let type = ObjectIdentifier(Content.self)
    if Self.linkedIndices[type]?.isEmpty == true { return }
    let properties = Mirror(reflecting: view).children
    let indices =
      Self.linkedIndices[type]
      ?? properties.enumerated().filter { $0.element.value is any LinkedProperty }.map(\.offset)
    Self.linkedIndices[type] = indices
    for index in indices {
      let property = properties[properties.index(properties.startIndex, offsetBy: index)].value
      (property as? any LinkedProperty)?.link(to: self, at: index)
    }
  }
}
