/// A piece of the screen, described by what it is made of.
@MainActor
public protocol View {
  /// What the view is made of.
  associatedtype Body: View

  /// The view's content, computed again when something it read has changed, or its properties have.
  @ViewBuilder var body: Body { get }
}

extension View where Body == Never {
  /// Never called: such a view is drawn by Stage itself.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never {
  /// Never called.
  public var body: Never { fatalError("There is nothing of this type.") }
}

extension Never: View {}

/// A view which Stage draws itself.
@MainActor
package protocol PrimitiveView: View where Body == Never {
  func resolve(in scope: Scope) -> [Output]
}

/// A view which only stands for others, as a group does.
@MainActor
protocol ViewList: PrimitiveView {
  func forEachChild(in scope: Scope, _ visit: (any View, Scope) -> Void)
}

extension ViewList {
  package func resolve(in scope: Scope) -> [Output] {
    var outputs: [Output] = []
    forEachChild(in: scope) { child, childScope in outputs += childScope.resolve(child) }
    return outputs
  }
}

/// A list of which some views can be made without the others.
@MainActor
protocol IndexedViewList: ViewList {
  var count: Int { get }

  func forEachChild(
    in scope: Scope, at range: Range<Int>, _ visit: (any View, Scope) -> Void)
}
