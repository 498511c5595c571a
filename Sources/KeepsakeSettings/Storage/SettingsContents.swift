import KeepsakeCoding

/// The values of one settings file: what its property list holds, and what changed since.
///
/// Kept apart, a change costs the same however many values there are, and an edit of the property
/// list by hand can be told from what the programs changed.
struct SettingsContents {
  /// What the property list on the disk holds.
  var base: [String: PropertyList.Value] = [:]
  /// What the journal changed since; `.some(nil)` where it removed a key.
  var changes = NameTable<PropertyList.Value?>()
  /// Grows with each change: of two looks at a value, the one with the higher number is the later.
  var sequence: UInt64 = 0

  subscript(name: SettingsName) -> PropertyList.Value? {
    if let changed = changes[name] { return changed }
    return base[name.string]
  }

  /// All values there are.
  ///
  /// - Complexity: O(*n*).
  var merged: [String: PropertyList.Value] {
    var all = base
    changes.forEach { name, value in all[name.string] = value }
    return all
  }

  /// Makes the changes part of the base.
  mutating func fold() {
    changes.forEach { name, value in base[name.string] = value }
    changes = NameTable()
  }
}
