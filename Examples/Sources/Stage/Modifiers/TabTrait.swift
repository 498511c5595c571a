/// What a view says about itself to the `TabView` around it.
package struct TabTrait: PrimitiveModifier {
  var tag: AnyHashable?
  var label: (any View)?

  package var tabTrait: TabTrait { self }

  package func resolve(_ content: some View, in scope: Scope) -> [Output] {
    scope.child(.content).resolve(content)
  }
}

/// A view that may carry a trait, or one further in.
@MainActor
private protocol TraitCarrier {
  func findTrait<Value>(_ value: (TabTrait) -> Value?) -> Value?
}

extension ModifiedView: TraitCarrier {
  func findTrait<Value>(_ value: (TabTrait) -> Value?) -> Value? {
    value(modifier.tabTrait) ?? content.tabTrait(value)
  }
}

extension View {
  /// What the view or a modifier of it says to a `TabView`.
  func tabTrait<Value>(_ value: (TabTrait) -> Value?) -> Value? {
    (self as? any TraitCarrier)?.findTrait(value)
  }

  /// Names the view for the selection of a `TabView`.
  public func tag(_ tag: some Hashable) -> some View {
    modified(TabTrait(tag: AnyHashable(tag)))
  }

  /// Gives the view its label in the bar of a `TabView`.
  public func tabItem(@ViewBuilder _ label: () -> some View) -> some View {
    modified(TabTrait(label: label()))
  }
}
