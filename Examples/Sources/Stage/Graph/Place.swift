/// One place of a view tree, known by the step that leads to it, and what lasts there while the view
/// values come and go.
@MainActor
final class Place {
  /// A hash of the way from the root to this place, which is the same in each run of the app.
  let identity: UInt64
  private var slot: Slot?
  private var inner: [Step: Place] = [:]
  /// The evaluations that last came by, and last used the slot.
  private var visited = 0, used = 0

  init(_ identity: UInt64) {
    self.identity = identity
  }

  /// The place one step further in, made if it is new.
  func place(_ step: Step, in evaluation: Int) -> Place {
    let place: Place
    if let known = inner[step] {
      place = known
    } else {
      place = Place(stableHash(Array(step.name.utf8) + [0xFF], from: identity))
      inner[step] = place
    }
    place.visited = evaluation
    return place
  }

  /// What lasts at this place, made if it is new or of another type.
  func slot<Kept: Slot>(in evaluation: Int, _ make: () -> Kept) -> Kept {
    used = evaluation
    if let kept = slot as? Kept { return kept }
    slot?.remove()
    let kept = make()
    slot = kept
    return kept
  }

  /// Removes what an evaluation has not come by.
  func removeUnused(in evaluation: Int) {
    if used != evaluation { removeSlot() }
    for (step, place) in inner {
      if place.visited == evaluation {
        place.removeUnused(in: evaluation)
      } else {
        place.remove()
        inner[step] = nil
      }
    }
  }

  /// Removes everything.
  func remove() {
    removeSlot()
    for place in inner.values { place.remove() }
    inner = [:]
  }

  private func removeSlot() {
    slot?.remove()
    slot = nil
  }
}
