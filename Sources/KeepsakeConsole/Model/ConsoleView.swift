#if Console
/// What one who looks at the console was shown last.
struct ConsoleView {
  /// What is different from before.
  struct Difference {
    /// Rows that are new or have another value, each with what it was.
    var changed: [(row: ConsoleRow, old: ConsoleRow?)] = []
    /// Rows that are gone.
    var removed: [ConsoleRow] = []

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
  }

  /// How often is looked for changes, which are in memory already, while somebody looks.
  static let interval = Duration.milliseconds(150)

  private var shown: [String: ConsoleRow] = [:]

  /// Takes what there is now for shown.
  mutating func show(_ rows: [ConsoleRow]) -> Difference {
    let now = Dictionary(rows.map { ($0.id, $0) }) { $1 }
    defer { shown = now }
    return Difference(
      changed: rows.filter { shown[$0.id] != $0 }.map { ($0, shown[$0.id]) },
      removed: shown.values.filter { now[$0.id] == nil }.sorted { $0.id < $1.id })
  }
}
#endif
