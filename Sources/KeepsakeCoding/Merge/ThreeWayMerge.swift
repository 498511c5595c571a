/// The three-way merge of JSON: what two sides made of one base, together.
///
/// Objects are merged by key, arrays by element (see ``ElementMatch``), and of everything else the
/// side counts that changed it. Numbers are the same however they are written, and keep their text
/// in `theirs`; strings are the same if their code points are. An object with one key, which is how
/// an enumeration is coded, is changed as a whole where the key changes.
package enum ThreeWayMerge {
  /// Merges two changes that were made without knowledge of each other.
  ///
  /// - Parameter base: What both started from; `nil` where both created the document.
  /// - Complexity: O(*n* log *n*) in the number of values, for each level of arrays that lie in one
  ///   another.
  package static func merge(
    base: JSON.Value?, ours: JSON.Value, theirs: JSON.Value
  ) -> MergeResult {
    var merger = Merger(isKeepingUnknown: false)
    let value = merger.merge(base, ours, theirs)
    return MergeResult(value: value, conflicts: merger.conflicts)
  }

  /// Adds to an encoded value what its type does not know of the stored value that it replaces.
  ///
  /// What the stored value has beyond what is known of it stays, in place and in order; what we changed
  /// or removed is changed or removed, with everything in it.
  ///
  /// - Parameters:
  ///   - stored: The stored value.
  ///   - known: The stored value, decoded and encoded again.
  ///   - use: Which keys were decoded.
  ///   - ours: The new value, encoded.
  /// - Complexity: As of ``merge(base:ours:theirs:)``; O(*n*) if everything is known.
  package static func keepingUnknown(
    of stored: JSON.Value, known: JSON.Value, use: KeyUse, ours: JSON.Value
  ) -> JSON.Value {
    keepingUnknown(
      known: known, ours: ours, file: use.renamingKeys(of: stored, to: known))
  }

  /// The same for a stored value without renamed keys.
  static func keepingUnknown(
    known: JSON.Value, ours: JSON.Value, file: JSON.Value
  ) -> JSON.Value {
    if known.isSame(as: file, inText: true) { return ours }
    var merger = Merger(isKeepingUnknown: true)
    return merger.merge(known, ours, file)
  }
}
