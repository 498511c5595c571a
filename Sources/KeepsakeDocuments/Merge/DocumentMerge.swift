import KeepsakeCoding

/// The three-way merge of JSON: what two sides made of one base, together.
///
/// Objects are merged by key, arrays by element (see ``ElementMatch``), and of everything else the
/// side counts that changed it. Numbers are the same however they are written, and keep their text
/// in `theirs`; strings are the same if their code points are. An object with one key, which is how
/// an enumeration is coded, is changed as a whole where the key changes.
enum DocumentMerge {
  /// Merges two changes that were made without knowledge of each other.
  ///
  /// - Parameter base: What both started from; `nil` where both made the document anew.
  /// - Complexity: O(*n* log *n*) in the number of values, for each level of arrays that lie in one
  ///   another.
  static func merge(
    base: JSON.Value?, ours: JSON.Value, theirs: JSON.Value
  ) -> MergeResult {
    var merger = Merger(isKeepingUnknown: false)
    let value = merger.merge(base, ours, theirs)
    return MergeResult(value: value, conflicts: merger.conflicts)
  }

  /// Puts a document's changes into the file that it was loaded from, of which its type may know
  /// only a part.
  ///
  /// What the file has beyond what is known of it stays, in place and in order; what we changed or
  /// removed is changed or removed, with all that it holds.
  ///
  /// - Parameters:
  ///   - known: What the document was when it was loaded, encoded again.
  ///   - ours: The document now, encoded.
  ///   - file: What is in the file.
  /// - Complexity: As of ``merge(base:ours:theirs:)``; O(*n*) where all of the file is known.
  static func keepingUnknown(
    known: JSON.Value, ours: JSON.Value, file: JSON.Value
  ) -> JSON.Value {
    if known.isSame(as: file, inText: true) { return ours }
    var merger = Merger(isKeepingUnknown: true)
    return merger.merge(known, ours, file)
  }
}
