/// One place of a view tree, known by the step that leads to it, and what lasts there while the view
/// values come and go.
@MainActor
final class Place {
  /// A hash of the way from the root to this place, which is the same in each run of the app.
  let identity: UInt64
  private var slot: (any Slot)?
  private let step: Step
  /// The first place further in, which is often the only one, and the others.
  private var first: Place?
  private var inner: [Step: Place] = [:]
  /// The evaluations that last came by, and last used the slot.
  private var visited = 0, used = 0

  init(_ identity: UInt64, after step: Step = .content) {
    self.identity = identity
    self.step = step
  }

  /// The place one step further in, made if it is new.
  func place(_ step: Step, in evaluation: Int) -> Place {
    let place = (first?.step == step ? first : inner[step]) ?? make(step)
    place.visited = evaluation
    return place
  }

  private func make(_ step: Step) -> Place {
    let place = Place(stableHash(Array("\(step)".utf8) + [0xFF], from: identity), after: step)
    if first == nil { first = place } else { inner[step] = place }
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
    if let first, !first.stays(after: evaluation) { self.first = nil }
    for (step, place) in inner where !place.stays(after: evaluation) { inner[step] = nil }
  }

  /// Removes what is not used any more, or everything.
  private func stays(after evaluation: Int) -> Bool {
    if visited == evaluation { removeUnused(in: evaluation) } else { remove() }
    return visited == evaluation
  }

  /// Removes everything.
  func remove() {
    removeSlot()
    first?.remove()
    first = nil
    for place in inner.values { place.remove() }
    inner = [:]
  }

  private func removeSlot() {
    slot?.remove()
    slot = nil
  }
}
