import KeepsakeCoding

/// The values of one settings file: what its property list holds, and what changed since.
///
/// Kept apart, a change costs the same however many values there are, and an edit of the property
/// list by hand can be told from what the programs changed.
struct SettingsContents {
  /// What the property list on the disk holds.
  var base: [String: PropertyList.Value] = [:]
  /// What the journal changed since; `.some(nil)` where it removed a key.
  var changes: [String: PropertyList.Value?] = [:]
  /// Grows with each change: of two looks at a value, the one with the higher number is the later.
  var sequence: UInt64 = 0

  subscript(key: String) -> PropertyList.Value? {
    if let changed = changes[key] { return changed }
    return base[key]
  }

  /// All values there are.
  ///
  /// - Complexity: O(*n*).
  var merged: [String: PropertyList.Value] {
    var all = base
    for (key, value) in changes { all[key] = value }
    return all
  }

  /// Makes the changes part of the base.
  mutating func fold() {
    for (key, value) in changes { base[key] = value }
    changes = [:]
  }
}
