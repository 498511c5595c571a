import Stage

/// A card that the list shows to the user: the one that was left, added or brought back last.
struct ShownCard: Identifiable {
  let card: UUID
  /// What tells this time from others.
  let id = UUID()
}
