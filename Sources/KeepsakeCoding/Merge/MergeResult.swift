/// What two changes of one document make together.
package struct MergeResult: Hashable, Sendable {
  /// Both changes; ours where they exclude each other, but a changed value rather than none.
  package var value: JSON.Value
  /// The parts in which they exclude each other.
  package var conflicts: [JSON.MergeConflict]
}
