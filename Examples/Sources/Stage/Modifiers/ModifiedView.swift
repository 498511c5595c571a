/// A view with something said about it.
struct ModifiedView<Content: View, Modifier: PrimitiveModifier>: View {
  let content: Content
  let modifier: Modifier
}

/// Something said about a view.
@MainActor
package protocol PrimitiveModifier {
  func resolve(_ content: some View, in scope: Scope) -> [Output]

  /// What it says to a `TabView` around the view.
  var tabTrait: TabTrait { get }
}

extension PrimitiveModifier {
  package var tabTrait: TabTrait { TabTrait() }
}

extension ModifiedView: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    modifier.resolve(content, in: scope)
  }
}

extension View {
  package func modified(_ modifier: some PrimitiveModifier) -> some View {
    ModifiedView(content: self, modifier: modifier)
  }
}
