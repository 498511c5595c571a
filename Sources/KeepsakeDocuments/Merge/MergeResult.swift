import KeepsakeCoding

/// What two changes of one document make together.
struct MergeResult: Hashable, Sendable {
  /// Both changes; ours where they exclude each other, but a changed value rather than none.
  var value: JSON.Value
  /// The places where they exclude each other.
  var conflicts: [MergeConflict]
}
