import Foundation
import Keepsake

/// Draws one scene: evaluates what has become stale, lays it out and says what has changed.
@MainActor
package final class SceneRenderer {
  /// More rounds than this mean that the views answer each change with another one.
  private static let roundLimit = 100

  package let session: SceneSession
  let images: ImageShelf
  /// Receives each change once the scene has been drawn.
  var onUpdate: ((_ patches: [Patch], _ animation: Animation?) -> Void)?
  package private(set) var elements: [PageElement] = []
  /// Told when the window is called something else.
  var onTitle: ((String?) -> Void)?
  private(set) var title: String?
  /// How often the scene has changed what it shows.
  package let drawings = ObservedValue(0)
  /// How large the window is, in pixels of the page.
  package let windowSize = ObservedValue(CGSize(width: 1024, height: 768))
  /// Whether the pointer is in the window.
  package let isPointerInside = ObservedValue(false)

  let inbox = StaleViews()
  private var actions: [() -> Void] = []
  private var identities: Set<UInt64> = []
  /// Whether a view has ever set an alignment guide, which may read what changes.
  var hasGuides = false
  private var root: ViewNode?

  init(
    session: SceneSession, images: ImageShelf = ImageShelf(), openScenes: OpenScenes? = nil,
    content: some View
  ) {
    self.session = session
    self.images = images
    var environment = EnvironmentValues()
    environment[object: SceneSession.self] = session
    environment[object: OpenScenes.self] = openScenes
    let root = ViewNode(renderer: self, parent: nil, Place(stableHash([])))
    self.root = root
    _ = root.take(content, in: Scope(owner: root, environment: environment, isVisible: true))
    inbox.renderer = self
    inbox.add(root)
    flush()
  }

  /// Has no two elements of the scene have the same identity, even if their keys look the same.
  func reserve(_ identity: UInt64) -> UInt64 {
    var identity = identity
    while !identities.insert(identity).inserted { identity &+= 1 }
    return identity
  }

  func release(_ identity: UInt64) { identities.remove(identity) }

  /// Has an action run once the views around it are evaluated.
  func enqueue(_ action: @escaping () -> Void) { actions.append(action) }

  /// Moves the scene to another phase and draws what that changes.
  ///
  /// A scene that was active is inactive before it is in the background, if only for a moment: that
  /// is when apps save.
  func enter(_ phase: ScenePhase) {
    if session.phase == .active, phase == .background { enter(.inactive) }
    session.phase = phase
    flush()
  }

  /// Does what the user asks for with an element, unless that is disabled.
  package func perform(_ event: Event) {
    guard let element = element(event.id), element.attributes["disabled"] == nil,
      let action = element.element.action(for: event.kind)
    else { return }
    perform { action(event) }
  }

  /// Does what the user asks for, in the scene, and draws what that changes.
  package func perform(_ action: () -> Void) {
    SceneSession.$current.withValue(session) { action() }
    flush()
  }

  func element(_ id: String) -> PageElement? {
    elements.lazy.compactMap { $0.first { $0.id == id } }.first
  }

  /// Draws what is stale until nothing is.
  func flush() {
    guard root != nil else { return }
    var animation: Animation?
    SceneSession.$current.withValue(session) {
      for _ in 0..<Self.roundLimit {
        let work = inbox.take()
        if work.nodes.isEmpty && actions.isEmpty { break }
        animation = work.animation ?? animation
        work.nodes.forEach { $0.markStale() }
        for node in work.nodes.sorted(by: { $0.depth < $1.depth }) where node.isStale {
          node.evaluate()
        }
        let actions = self.actions
        self.actions = []
        actions.forEach { $0() }
      }
      draw(animation)
    }
  }

  private func draw(_ animation: Animation?) {
    guard let root else { return }
    let drawn = root.laidOut()
    let difference = Difference(from: elements, to: drawn, in: "root")
    elements = drawn
    if difference.patches.isEmpty { return }
    onUpdate?(difference.patches, animation)
    drawings.value += 1
    if difference.changes(attribute: "data-title") { updateTitle() }
  }

  private func updateTitle() {
    let title = elements.lazy.compactMap { $0.first { $0.attributes["data-title"] != nil } }.first?
      .attributes["data-title"]
    if title != self.title {
      self.title = title
      onTitle?(title)
    }
  }

  /// Takes every view away, as when the user closes the window permanently.
  func close() {
    root?.remove()
    root = nil
    elements = []
    SceneSession.$current.withValue(session) {
      for action in actions { action() }
    }
    actions = []
  }
}
