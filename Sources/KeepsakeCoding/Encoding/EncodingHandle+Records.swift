/// Adding to a container that is recorded.
extension EncodingHandle {
  /// Adds an entry whose key is not the name of a field.
  @inline(__always)
  func add(text key: String, _ set: (RecordSlot) throws -> Void) throws {
    guard let record = state.pointee.record(of: token) else { throw ended }
    let element = state.pointee.records.add(to: record, key: key)
    try set(RecordSlot(state: state, record: element))
    state.pointee.records.link(element)
  }

  /// Adds an element to the array that this handle's record is, which counts once it has its value.
  @inline(__always)
  func add(_ set: (RecordSlot) throws -> Void) throws {
    guard let record = state.pointee.record(of: token) else { throw ended }
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

  /// Adds an element of any type: without a closure, which would be a call of its own where the type
  /// is not known.
  @inline(__always)
  func add<T: Encodable>(value: T) throws {
    guard let record = state.pointee.record(of: token) else { throw ended }
    let element = state.pointee.records.addElement(to: record)
    try RecordSlot(state: state, record: element).set(value: value)
    state.pointee.records.link(element)
  }

  @inline(never)
  var ended: EncodingError {
    .misused(at: codingPath, "The container was used after its value was encoded.")
  }
}

extension UnsafeMutablePointer<EncodingCell> {
  /// Adds an entry to the object that the container's record is, which counts once it has its value.
  @inline(__always)
  func add<Key: CodingKey>(_ key: Key, _ set: (RecordSlot) throws -> Void) throws {
    let handle = pointee.handle
    guard let record = handle.state.pointee.record(of: handle.token) else { throw handle.ended }
    let element = addRecord(key, to: record)
    try set(RecordSlot(state: handle.state, record: element))
    handle.state.pointee.records.link(element)
  }

  /// Adds an entry with a value of any type.
  @inline(__always)
  func add<Key: CodingKey, T: Encodable>(_ key: Key, value: T) throws {
    let handle = pointee.handle
    guard let record = handle.state.pointee.record(of: handle.token) else { throw handle.ended }
    let element = addRecord(key, to: record)
    try RecordSlot(state: handle.state, record: element).set(value: value)
    handle.state.pointee.records.link(element)
  }

  /// Adds a record with a key, which is not an element before it has a value.
  @inline(__always)
  private func addRecord<Key: CodingKey>(_ key: Key, to record: Int) -> Int {
    let handle = pointee.handle
    guard handle.state.pointee.options.format == .propertyList, let texts = pointee.texts else {
      return handle.addRecord(key, to: record)
    }
    let byte = texts.byte(of: key)
    if let first = pointee.recordKeys.record(
      of: byte, in: handle.state.pointee.firstRecordToken)
    {
      return handle.state.pointee.records.add(to: record, keyOf: first)
    }
    return addRecord(key, byte, to: record)
  }

  /// Adds a record with a key that no record has yet.
  @inline(never)
  private func addRecord<Key: CodingKey>(_ key: Key, _ byte: Int, to record: Int) -> Int {
    let state = pointee.handle.state
    let element = state.pointee.records.add(to: record, key: key.stringValue)
    pointee.recordKeys.note(byte, record: element, in: state.pointee.firstRecordToken)
    return element
  }
}

extension EncodingHandle {
  /// Adds a record with a key, which is not an element before it has a value.
  @inline(never)
  func addRecord<Key: CodingKey>(_ key: Key, to record: Int) -> Int {
    addRecord(text(of: key, in: record), key, to: record)
  }

  /// Adds a record with a key as the options change it.
  func addRecord(_ text: String, _ key: some CodingKey, to record: Int) -> Int {
    let element = state.pointee.records.add(to: record, key: text)
    if state.pointee.options.format == .json { state.pointee.keep(key, of: element) }
    return element
  }
}
