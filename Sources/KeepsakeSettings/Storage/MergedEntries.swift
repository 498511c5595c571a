import KeepsakeCoding

/// The values of a table with changes applied, in the order of a property list.
struct MergedEntries: Sequence, IteratorProtocol {
  typealias Element = (key: String, value: PropertyList.Value)

  private var values: ValueTable.Iterator
  private var value: Element?
  private var changes: Array<(key: String, value: PropertyList.Value?)>.Iterator
  private var change: (key: String, value: PropertyList.Value?)?
  let underestimatedCount: Int

  /// - Parameter changes: The new values; `nil` removes one.
  /// - Complexity: O(*n* log *n*) in the number of changes.
  init(_ table: ValueTable, _ changes: [SettingsName: PropertyList.Value?]) {
    underestimatedCount = table.count
    values = table.makeIterator()
    value = values.next()
    self.changes =
      changes.map { (key: $0.key.string, value: $0.value) }
      .sorted { PropertyList.precedes($0.key, $1.key) }.makeIterator()
    change = self.changes.next()
  }

  mutating func next() -> Element? {
    while true {
      if let (key, newValue) = change, !(value.map { PropertyList.precedes($0.key, key) } ?? false)
      {
        if let old = value, !PropertyList.precedes(key, old.key) { value = values.next() }
        change = changes.next()
        if let newValue { return (key, newValue) }
      } else if let old = value {
        value = values.next()
        return old
      } else {
        return nil
      }
    }
  }
}
