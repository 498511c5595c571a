import Synchronization

/// The views of a scene that became stale since it was last drawn; any thread may add to them.
final class StaleViews: Sendable {
  struct Content {
    var nodes: [ViewNode] = []
    var animation: Animation?
    fileprivate var isFlushScheduled = false
  }

  private let content = Mutex(Content())
  @MainActor weak var renderer: SceneRenderer?

  /// Has a view evaluated again.
  func add(_ node: ViewNode) {
    let mustSchedule = content.withLock { content in
      content.nodes.append(node)
      content.animation = Transaction.animation ?? content.animation
      defer { content.isFlushScheduled = true }
      return !content.isFlushScheduled
    }
    guard mustSchedule else { return }
    // What the drawing itself changes is not what the animation was asked for.
    Transaction.$animation.withValue(nil) {
      _ = Task { @MainActor in renderer?.flush() }
    }
  }

  func take() -> Content {
    content.withLock { content in
      defer { content = Content() }
      return content
    }
  }
}
