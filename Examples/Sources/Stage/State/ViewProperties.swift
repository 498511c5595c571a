@_spi(Reflection) import Swift

/// A property wrapper that is given its storage by the node of the view it belongs to.
@MainActor
protocol LinkedProperty {
  mutating func link(to node: ViewNode, at offset: Int)
}

extension LinkedProperty {
  fileprivate static func link(
    _ view: UnsafeMutableRawPointer, to node: ViewNode, at offset: Int
  ) {
    (view + offset).assumingMemoryBound(to: Self.self).pointee.link(to: node, at: offset)
  }
}

/// Where the views of a type have their stored properties in memory.
@MainActor
struct ViewProperties {
  /// What a view asks its parent to do. A pointer to the closure itself would read it as a generic value,
  /// which is called in another way.
  private struct Action {
    let perform: @MainActor () -> Void
  }

  private final class LastAction {
    var action = Action {}
  }

  /// By the types of the views, as examining one takes long.
  private static var known: [ObjectIdentifier: ViewProperties] = [:]

  private var linked: [(offset: Int, type: any LinkedProperty.Type)] = []
  private var actions: [Int] = []
  private var values: [Range<Int>] = []

  static func of<Content: View>(_ type: Content.Type) -> ViewProperties {
    if let known = known[ObjectIdentifier(type)] { return known }
    var properties = ViewProperties()
    _forEachField(of: type) { _, offset, type, _ in
      if let type = type as? any LinkedProperty.Type {
        properties.linked.append((offset, type))
      } else if type == (@MainActor () -> Void).self {
        properties.actions.append(offset)
      } else {
        properties.values.append(offset..<offset + size(of: type))
      }
      return true
    }
    // An enumeration has no fields that could be told apart.
    if properties.isEmpty { properties.values = [0..<MemoryLayout<Content>.size] }
    known[ObjectIdentifier(type)] = properties
    return properties
  }

  private var isEmpty: Bool { linked.isEmpty && actions.isEmpty && values.isEmpty }

  private static func size<Value>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }

  /// Whether the values are the same, byte by byte, in two views.
  func areSame(in one: some View, _ other: some View) -> Bool {
    withUnsafeBytes(of: one) { one in
      withUnsafeBytes(of: other) { other in
        values.allSatisfy { one[$0].elementsEqual(other[$0]) }
      }
    }
  }

  /// Has the actions of a fresh view value performed from now on, by bodies of older ones, too.
  func followActions(of view: some View, in node: ViewNode) {
    withUnsafeBytes(of: view) { view in
      for offset in actions {
        node.kept(at: offset) { LastAction() }.action = view.load(
          fromByteOffset: offset, as: Action.self)
      }
    }
  }

  /// Gives the properties of a view value what belongs to its node.
  func link(_ view: inout some View, to node: ViewNode) {
    withUnsafeMutableBytes(of: &view) { view in
      guard let start = view.baseAddress else { return }
      for (offset, type) in linked { type.link(start, to: node, at: offset) }
      for offset in actions {
        let last = node.kept(at: offset) { LastAction() }
        let action = (start + offset).assumingMemoryBound(to: Action.self)
        action.pointee = Action { last.action.perform() }
      }
    }
  }
}
