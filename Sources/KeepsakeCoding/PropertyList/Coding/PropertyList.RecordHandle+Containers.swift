extension PropertyList.RecordHandle {
  /// Makes the record a container, or finds that it is one already.
  @inline(__always)
  func open(_ kind: Kind) {
    guard isCurrent else { return }
    let present = state.pointee.records.records[record].kind
    if present == .none {
      state.pointee.records.set(record, kind)
    } else {
      precondition(
        present == kind, "a value encodes itself as a container after it has encoded something else"
      )
    }
  }

  /// The container for a key, which may be there already; an encoder's, of no kind yet, is new.
  func element(_ key: String, _ kind: Kind) -> Self {
    guard isCurrent else { return self }
    if kind != .none, let element = state.pointee.records.element(of: record, key: key) {
      let element = Self(state: state, encoding: encoding, record: element)
      element.open(kind)
      return element
    }
    return link(state.pointee.records.add(to: record, key: key), kind)
  }

  /// The container that is the next element.
  func element(_ kind: Kind) -> Self {
    guard isCurrent else { return self }
    return link(state.pointee.records.addElement(to: record), kind)
  }

  private func link(_ element: Int, _ kind: Kind) -> Self {
    state.pointee.records.set(element, kind)
    state.pointee.records.link(element)
    return Self(state: state, encoding: encoding, record: element)
  }

  /// A container that writes the elements of this record.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    guard let entry = state.pointee.containers.idleEntry(for: type),
      let cell = entry.pointee.cell
    else { return newContainer(keyedBy: type) }
    cell.pointee = self
    return entry.pointee.container(KeyedEncodingContainer<Key>.self)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    let cell = UnsafeMutablePointer<Self>.allocate(capacity: 1)
    cell.initialize(to: self)
    let container = KeyedEncodingContainer(PropertyList.RecordKeyedContainer<Key>(cell: cell))
    state.pointee.containers.insert(container, for: type, cell: cell)
    return container
  }
}
