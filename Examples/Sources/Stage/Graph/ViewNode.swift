/// What lasts of a view while it is on screen: its state, its identity and what it last showed.
final class ViewNode: Slot {
  unowned let renderer: SceneRenderer
  let depth: Int
  private(set) var environment = EnvironmentValues()
  private(set) var outputs: [Output] = []
  private(set) var isStale = true

  private var view: any View = EmptyView()
  private var isVisible = true
  private var isRemoved = false
  private var slots: [[Step]: Slot] = [:]
  private var kept: [Int: AnyObject] = [:]
  private var waiting: [ViewNode] = []
  private var evaluation = 0

  init(renderer: SceneRenderer, depth: Int) {
    self.renderer = renderer
    self.depth = depth
  }

  /// Takes a fresh view value; the body is evaluated afterwards.
  func take(_ view: some View, in scope: Scope) {
    if type(of: view) != type(of: self.view) { clear() }
    self.view = view
    environment = scope.environment
    isVisible = scope.isVisible
    isStale = true
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
    outputs = watching {
      outputs(of: view)
    } onChange: { [weak renderer, weak self] in
      guard let self else { return }
      renderer?.invalidate(self)
    }
    for (path, slot) in slots where slot.generation != evaluation {
      slot.remove()
      slots[path] = nil
    }
    for child in waiting { child.evaluate() }
  }

  private func outputs(of view: some View) -> [Output] {
    waiting = []
    linkProperties(of: view)
    let scope = Scope(owner: self, environment: environment, isVisible: isVisible)
    // The root and the like are drawn by Stage and have no body.
    return view is any PrimitiveView ? scope.resolve(view) : scope.resolve(view.body)
  }

  func evaluateLater(_ child: ViewNode) {
    waiting.append(child)
  }

  /// What lasts at a path below this view.
  func slot<Kept: Slot>(at path: [Step], _ make: () -> Kept) -> Kept {
    if let slot = slots[path] as? Kept {
      slot.generation = evaluation
      return slot
    }
    slots[path]?.remove()
    let slot = make()
    slot.generation = evaluation
    slots[path] = slot
    return slot
  }

  /// The storage of the property at an index, which the first view value here provides.
  func kept<Storage: AnyObject>(at index: Int, _ make: () -> Storage) -> Storage {
    if let storage = kept[index] as? Storage { return storage }
    let storage = make()
    kept[index] = storage
    return storage
  }

  override func remove() {
    isRemoved = true
    clear()
  }

  private func clear() {
    for slot in slots.values { slot.remove() }
    slots = [:]
    kept = [:]
    isStale = false
  }
}
