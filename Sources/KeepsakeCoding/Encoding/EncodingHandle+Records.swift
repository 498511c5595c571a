/// Adding to a container that is recorded.
extension EncodingHandle {
  /// Adds an entry to the object that this handle's record is, which counts once it has its value.
  @inline(__always)
  func add<Key: CodingKey>(_ key: Key, _ set: (RecordSlot) throws -> Void) throws {
    guard let record = state.pointee.record(of: ticket) else { throw ended }
    let element: Int
    if state.pointee.options.format == .propertyList {
      element = state.pointee.records.add(to: record, key: key.stringValue)
    } else {
      element = state.pointee.addRecord(text(of: key, in: record), key, to: record)
    }
    try set(RecordSlot(state: state, record: element))
    state.pointee.records.link(element)
  }

  /// Adds an entry whose key is not the name of a field.
  @inline(__always)
  func add(text key: String, _ set: (RecordSlot) throws -> Void) throws {
    guard let record = state.pointee.record(of: ticket) else { throw ended }
    let element = state.pointee.records.add(to: record, key: key)
    try set(RecordSlot(state: state, record: element))
    state.pointee.records.link(element)
  }

  /// Adds an element to the array that this handle's record is, which counts once it has its value.
  @inline(__always)
  func add(_ set: (RecordSlot) throws -> Void) throws {
    guard let record = state.pointee.record(of: ticket) else { throw ended }
    let element = state.pointee.records.addElement(to: record)
    try set(RecordSlot(state: state, record: element))
    state.pointee.records.link(element)
  }

  /// The text of a key, as the options change it.
  ///
  /// - Parameter record: The object that gets the key.
  func text<Key: CodingKey>(of key: Key, in record: Int) -> String {
    switch state.pointee.keyStyle {
    case .unchanged: return key.stringValue
    case .separated(let separator):
      return EncodingState.words(
        of: key.stringValue, separatedBy: Character(Unicode.Scalar(separator)))
    case .custom: return customText(of: key)
    }
  }

  @inline(never)
  private var ended: EncodingError {
    .misused(at: codingPath, "The container was used after its value was encoded.")
  }
}

extension EncodingState {
  /// Adds a record with a key, which is not an element before it has a value.
  mutating func addRecord<Key: CodingKey>(_ text: String, _ key: Key, to record: Int) -> Int {
    let element = records.add(to: record, key: text)
    if options.format == .json { keep(key, of: element) }
    return element
  }
}
