/// What lasts at one place of a view tree while the view values there come and go.
@MainActor
package protocol Slot: AnyObject {
  /// Called when an evaluation no longer has this place.
  func remove()
}

extension Slot {
  package func remove() {}
}

/// The identity of the page's element for one place: the same in each run of the app, so that what the
/// user did while the app was away still has its element.
class ElementIdentity: Slot {
  let id: String
  private let number: UInt64
  private unowned let renderer: SceneRenderer

  init(_ scope: Scope) {
    renderer = scope.owner.renderer
    number = scope.owner.renderer.reserve(scope.identity)
    id = "n" + String(number, radix: 36)
  }

  func remove() { renderer.release(number) }
}
