/// What lasts of a view while it is on screen: its state, its identity and what it last showed.
package final class ViewNode: Slot {
  package unowned let renderer: SceneRenderer
  let depth: Int
  let place: Place
  private(set) var environment = EnvironmentValues()
  private(set) var isStale = true
  private(set) var evaluation = 0

  private unowned let parent: ViewNode?
  private let staleViews: StaleViews
  private var view: any View = EmptyView()
  private var properties = ViewProperties()
  private var isVisible = true
  private var isRemoved = false
  private var kept: [Int: AnyObject] = [:]
  private var waiting: [ViewNode] = []
  private var outputs: [Output] = []
  private var elements: [PageElement] = []
  /// Whether the elements are older than the outputs of this view or of one inside it; it is then
  /// also set in all views around this one.
  private var isLayoutStale = false
  /// What the body reads, and what the layout does.
  private var watches: (body: Watch?, layout: Watch?)

  init(renderer: SceneRenderer, parent: ViewNode?, _ place: Place) {
    self.renderer = renderer
    self.parent = parent
    staleViews = renderer.inbox
    self.place = place
    depth = parent.map { $0.depth + 1 } ?? 0
  }

  /// Takes a fresh view value, and says whether the body must be evaluated afterwards.
  func take(_ view: some View, in scope: Scope) -> Bool {
    if type(of: view) != type(of: self.view) {
      clear()
      properties = ViewProperties.of(type(of: view))
      isStale = true
    }
    properties.followActions(of: view, in: self)
    if !isStale && isVisible == scope.isVisible && environment.isSame(as: scope.environment)
      && properties.areSame(in: self.view, view)
    {
      return false
    }
    self.view = view
    environment = scope.environment
    isVisible = scope.isVisible
    isStale = true
    return true
  }

  func markStale() {
    isStale = !isRemoved
  }

  /// Evaluates the body, and then the views inside it.
  ///
  /// Those come afterwards, so that what they read is theirs and not also this view's.
  func evaluate() {
    isStale = false
    evaluation += 1
    let watch = watches.body ?? makeWatch()
    watches.body = watch
    outputs = watch.evaluate { outputs(of: view) }
    place.removeUnused(in: evaluation)
    markLayoutStale()
    let waiting = self.waiting
    self.waiting = []
    for child in waiting { child.evaluate() }
  }

  private func outputs(of view: some View) -> [Output] {
    var view = view
    properties.link(&view, to: self)
    let scope = Scope(owner: self, environment: environment, isVisible: isVisible)
    // The root and the like are drawn by Stage and have no body.
    return view is any PrimitiveView ? scope.resolve(view) : scope.resolve(view.body)
  }

  func evaluateLater(_ child: ViewNode) {
    waiting.append(child)
  }

  private func markLayoutStale() {
    var node: ViewNode? = self
    while let stale = node, !stale.isLayoutStale {
      stale.isLayoutStale = true
      node = stale.parent
    }
  }

  /// The elements of the page; those of views in which nothing has changed are the same objects as
  /// before.
  func laidOut() -> [PageElement] {
    guard isLayoutStale else { return elements }
    isLayoutStale = false
    guard renderer.hasGuides else {
      elements = outputs.flatMap { $0.laidOut() }
      return elements
    }
    let watch = watches.layout ?? makeWatch()
    watches.layout = watch
    elements = watch.evaluate { outputs.flatMap { $0.laidOut() } }
    return elements
  }

  /// Has this view evaluated again when anything that is read changes.
  private func makeWatch() -> Watch { Watch { [staleViews] in staleViews.add(self) } }

  /// The storage of the property at an offset, which the first view value here provides.
  func kept<Storage: AnyObject>(at offset: Int, _ make: () -> Storage) -> Storage {
    if let storage = kept[offset] as? Storage { return storage }
    let storage = make()
    kept[offset] = storage
    return storage
  }

  package func remove() {
    isRemoved = true
    clear()
    watches = (nil, nil)
  }

  private func clear() {
    watches.body?.cancel()
    watches.layout?.cancel()
    place.remove()
    kept = [:]
    isStale = false
  }
}
