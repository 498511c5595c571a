/// One merge under way.
struct Merger {
  /// Whether `theirs` is a file of which `base` is what our type knows: then ours counts wherever
  /// both changed, and a removal of ours too.
  let isKeepingUnknown: Bool
  private(set) var conflicts: [JSON.MergeConflict] = []
  private var path: [JSON.MergeConflict.Step] = []

  init(isKeepingUnknown: Bool) {
    self.isKeepingUnknown = isKeepingUnknown
  }

  /// Merges two values at one path.
  mutating func merge(
    _ base: JSON.Value?, _ ours: JSON.Value, _ theirs: JSON.Value
  ) -> JSON.Value {
    switch (ours, theirs) {
    case (.object(let ours), .object(let theirs)):
      if let merged = mergeObjects(base, ours, theirs) { return .object(merged) }
    case (.array(let ours), .array(let theirs)):
      if let merged = mergeArrays(base, ours, theirs) { return merged }
    default: break
    }
    if ours.isSame(as: theirs) { return theirs }
    if let base {
      if base.isSame(as: theirs) { return ours }
      if base.isSame(as: ours) { return theirs }
    }
    report(base, ours, theirs)
    return ours
  }

  /// Merges at one step from here.
  mutating func merge(
    at step: JSON.MergeConflict.Step, _ base: JSON.Value?, _ ours: JSON.Value, _ theirs: JSON.Value
  ) -> JSON.Value {
    path.append(step)
    defer { path.removeLast() }
    return merge(base, ours, theirs)
  }

  /// Whether a value stays that they have and we removed.
  mutating func keepsTheirs(
    at step: JSON.MergeConflict.Step, _ base: JSON.Value, _ theirs: JSON.Value
  ) -> Bool {
    if isKeepingUnknown || base.isSame(as: theirs) { return false }
    report(at: step, base, nil, theirs)
    return true
  }

  /// Whether a value stays that we have and they removed.
  mutating func keepsOurs(
    at step: JSON.MergeConflict.Step, _ base: JSON.Value, _ ours: JSON.Value
  ) -> Bool {
    if base.isSame(as: ours) { return false }
    report(at: step, base, ours, nil)
    return true
  }

  private mutating func report(
    at step: JSON.MergeConflict.Step? = nil, _ base: JSON.Value?, _ ours: JSON.Value?,
    _ theirs: JSON.Value?
  ) {
    if isKeepingUnknown { return }
    let fullPath = step.map { path + [$0] } ?? path
    conflicts.append(JSON.MergeConflict(path: fullPath, base: base, ours: ours, theirs: theirs))
  }

  // MARK: Objects

  /// Merges by key, or not at all where the objects have nothing to do with each other.
  private mutating func mergeObjects(
    _ base: JSON.Value?, _ ours: JSON.Object, _ theirs: JSON.Object
  ) -> JSON.Object? {
    var known = JSON.Object()
    if case .object(let base)? = base {
      known = base
    } else if isKeepingUnknown {
      // Ours is whole, and was not made from what stands there.
      return nil
    }
    // An enumeration with another case; of a dictionary that was empty both keys are new.
    if ours.count == 1, theirs.count == 1, ours[0].key != theirs[0].key,
      base == nil || known.count == 1
    {
      return nil
    }

    var merged = JSON.Object()
    for (key, value) in theirs {
      let old = known[key]
      if let our = ours[key] {
        merged[key] = merge(at: .key(key), old, our, value)
      } else if let old {
        if keepsTheirs(at: .key(key), old, value) { merged[key] = value }
      } else {
        merged[key] = value
      }
    }
    for (key, value) in ours where theirs[key] == nil {
      if let old = known[key], !keepsOurs(at: .key(key), old, value) { continue }
      merged[key] = value
    }
    return merged
  }

  // MARK: Arrays

  /// Merges by element, or not at all where it is unknown which elements are the same.
  private mutating func mergeArrays(
    _ base: JSON.Value?, _ ours: [JSON.Value], _ theirs: [JSON.Value]
  ) -> JSON.Value? {
    let our = JSON.Value.array(ours)
    let their = JSON.Value.array(theirs)
    if our.isSame(as: their) { return their }
    if let base {
      if base.isSame(as: their, inText: true) { return our }
      if base.isSame(as: our) { return their }
    }
    let old: [JSON.Value]
    if case .array(let base)? = base {
      old = base
    } else if isKeepingUnknown || !(ElementIdentity.all(ours) && ElementIdentity.all(theirs)) {
      return nil
    } else {
      old = []
    }
    return .array(mergeElements(ElementMatch(old, ours, theirs, isKeepingUnknown)))
  }

  /// Puts the elements in order: theirs, without what we moved, and with that and what we added
  /// after the element that it follows in ours, or at the end where none of theirs comes later.
  private mutating func mergeElements(_ match: ElementMatch) -> [JSON.Value] {
    let moved = match.movedByUs()
    // What comes before all of theirs, after each of them, and after all.
    var placed: [Int: [JSON.Value]] = [:]
    var values: [JSON.Value?] = []
    values.reserveCapacity(match.theirs.count)
    for (index, value) in match.theirs.enumerated() {
      guard match.ourIndex[index] == nil, let old = match.baseOfTheirs[index] else {
        values.append(value)
        continue
      }
      // A bare nil would be JSON's null.
      let keeps = keepsTheirs(at: .index(index), match.base[old], value)
      values.append(keeps ? .some(value) : .none)
    }

    var position = -1
    var last: [JSON.Value] = []
    for (index, value) in match.ours.enumerated() {
      let old = match.baseOfOurs[index]
      if let their = match.theirIndex[index] {
        let merged = merge(
          at: .index(index), old.map { match.base[$0] }, value, match.theirs[their])
        if moved.contains(index) {
          values[their] = .none
          last.append(merged)
        } else {
          values[their] = merged
          if !last.isEmpty { placed[position, default: []] += last }
          last = []
          position = their
        }
      } else if old.map({ keepsOurs(at: .index(index), match.base[$0], value) }) ?? true {
        last.append(value)
      }
    }

    var merged = placed[-1] ?? []
    for (index, value) in values.enumerated() {
      if let value { merged.append(value) }
      if let following = placed[index] { merged += following }
    }
    return merged + last
  }
}
