/// A place in a view tree, and what holds there.
@MainActor
package struct Scope {
  package let owner: ViewNode
  private var place: Place
  package var environment: EnvironmentValues
  /// Whether the user can see the place; the content of a tab that is not selected stays, unseen.
  var isVisible: Bool

  init(owner: ViewNode, environment: EnvironmentValues, isVisible: Bool) {
    self.owner = owner
    place = owner.place
    self.environment = environment
    self.isVisible = isVisible
  }

  package func child(_ step: Step) -> Scope {
    var scope = self
    scope.place = place.place(step, in: owner.evaluation)
    return scope
  }

  /// What lasts at this place, made if it is new.
  package func slot<Kept: Slot>(_ make: () -> Kept) -> Kept {
    place.slot(in: owner.evaluation, make)
  }

  /// The identity of this place's element on the page.
  package var id: String {
    slot { ElementIdentity(self) }.id
  }

  /// Calls the visitor for the view, or, when it only stands for others, for each of those.
  func forEachChild(of view: some View, _ visit: (any View, Scope) -> Void) {
    if let list = view as? any ViewList {
      list.forEachChild(in: self, visit)
    } else {
      visit(view, self)
    }
  }

  /// A hash of the way from the root to this place, which is the same in each run of the app.
  var identity: UInt64 { place.identity }

  package func resolve(_ view: some View) -> [Output] {
    if let primitive = view as? any PrimitiveView { return primitive.resolve(in: self) }
    let node = slot { ViewNode(renderer: owner.renderer, parent: owner, Place(identity)) }
    if node.take(view, in: self) { owner.evaluateLater(node) }
    return [.node(node)]
  }
}
