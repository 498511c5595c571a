/// A property wrapper that is given its storage by the node of the view it belongs to.
@MainActor
protocol LinkedProperty {
  func link(to node: ViewNode, at index: Int)
}

extension ViewNode {
  /// Gives the properties of a fresh view value what belongs to this node.
  func linkProperties(of view: some View) {
    for (index, child) in Mirror(reflecting: view).children.enumerated() {
      (child.value as? any LinkedProperty)?.link(to: self, at: index)
    }
  }
}
