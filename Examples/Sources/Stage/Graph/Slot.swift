/// What lasts at one place of a view tree while the view values there come and go.
@MainActor
class Slot {
  /// Called when an evaluation no longer has this place.
  func remove() {}
}

/// The identity of the page's element for one place.
class ElementIdentity: Slot {
  let id: String

  init(number: Int) {
    id = "n\(number)"
  }
}
