/// Keys, as the text has them and as a type asks for them.
extension TapeValues {
  /// The text of a key; `nil` if another value of the same key counts.
  @inline(__always) func key(_ index: Int) -> String? {
    let token = state.pointee.tape.string(index)
    if token.traits.rawValue & 0xE == 0 { return JSON.text(of: token) }
    return unusualKey(index)
  }

  @inline(never) private func unusualKey(_ index: Int) -> String? {
    state.pointee.tape.isSuperseded(index) ? nil : state.pointee.tape.text(index)
  }

  /// The index of a key's value; -1 if the object has no such key.
  ///
  /// - Complexity: O(1) if the key follows the one that was found last, or the object has many;
  ///   else O(*n*) in the number of the object's keys.
  @inline(__always)
  func find(_ object: Int, _ key: some CodingKey) -> Int {
    var name = key.stringValue
    return name.withUTF8 { find(object, $0) }
  }

  @inline(__always)
  func find(_ object: Int, _ name: UnsafeBufferPointer<UInt8>) -> Int {
    let value = findNext(object, name)
    return value >= 0 ? value : findElsewhere(object, name)
  }

  /// The index of a key's value, if the key follows the one that was found last; else -1.
  @inline(__always)
  func findNext(_ object: Int, _ name: UnsafeBufferPointer<UInt8>) -> Int {
    guard state.pointee.isDirect else { return -1 }
    return state.pointee.tape.findNext(object) { state.pointee.tape.isKey($0, name) }
  }

  /// The same, for a question that takes no value: the next one may be about the same key again.
  func look(_ object: Int, _ key: some CodingKey) -> Int {
    let words = state.pointee.tape.words
    let (state, passed) = (words[object + 2], words[object + 3])
    defer { (words[object + 2], words[object + 3]) = (state, passed) }
    return find(object, key)
  }

  /// The index of a key's value, wherever it is; -1 if the object has no such key.
  ///
  /// - Parameter isNew: Whether the key was not asked for before, as far as that is known.
  @inline(never)
  func findElsewhere(
    _ object: Int, _ name: UnsafeBufferPointer<UInt8>, isNew: Bool = true
  ) -> Int {
    let isLarge = state.pointee.tape.elementCount(object) > Tape.tableThreshold
    switch state.pointee.keys {
    case .exact where !isLarge:
      let value = state.pointee.tape.search(object) { state.pointee.tape.isKey($0, name) }
      return value < 0 && !name.isASCII ? findEquivalent(object, name) : value
    case .separated(let separator) where !isLarge:
      if isNew {
        let value = state.pointee.tape.findNext(object) {
          state.pointee.tape.isKey($0, name, separator: separator)
        }
        if value >= 0 { return value }
      }
      return state.pointee.tape.search(object) {
        state.pointee.tape.isKey($0, name, separator: separator)
      }
    default:
      // A strategy's function may do anything, and the name may be gone after it.
      let name = String(decoding: name, as: UTF8.self)
      return table(object).values[name] ?? -1
    }
  }

  /// The index of the value of a key that is written in other scalars, as Swift compares strings.
  @inline(never)
  private func findEquivalent(_ object: Int, _ name: UnsafeBufferPointer<UInt8>) -> Int {
    state.pointee.tape.valueOfEquivalentKey(
      object, String(decoding: name, as: UTF8.self),
      takesLast: state.pointee.options.duplicates != .first)
  }

  /// All keys of an object, converted as the strategy says.
  func table(_ object: Int) -> KeyTable {
    if let table = state.pointee.tables[object] { return table }
    var table = KeyTable()
    let end = state.pointee.tape.end(object)
    var index = object + Tape.objectHeader
    var path: [any CodingKey]?
    while index < end {
      let value = state.pointee.tape.value(ofKey: index)
      if let text = key(index) {
        let name: any CodingKey
        switch state.pointee.keys {
        case .exact: name = AnyCodingKey(stringValue: text)
        case .separated(let separator):
          name = AnyCodingKey(stringValue: JSON.camelCase(text, separator: separator))
        case .custom(let convert):
          if path == nil { path = self.path(to: object) }
          name = convert(path.unsafelyUnwrapped + [AnyCodingKey(stringValue: text)])
        }
        table.entries.append((name, index, value))
        if table.values[name.stringValue] == nil { table.values[name.stringValue] = value }
      }
      index = state.pointee.tape.next(value)
    }
    state.pointee.tables[object] = table
    return table
  }

  /// The name of an object's key, if it has one and no strategy changes names.
  func onlyKey(of object: Int) -> String? {
    guard state.pointee.isDirect, state.pointee.tape.elementCount(object) == 1 else { return nil }
    return key(object + Tape.objectHeader)
  }

  /// The names of an object's keys, in the order of the text, each once.
  func keys(of object: Int) -> [String] {
    if !state.pointee.isDirect {
      return unique(table(object).entries.map(\.name.stringValue))
    }
    var names: [String] = []
    names.reserveCapacity(state.pointee.tape.elementCount(object))
    let end = state.pointee.tape.end(object)
    var index = object + Tape.objectHeader
    while index < end {
      if let name = key(index) { names.append(name) }
      index = state.pointee.tape.next(state.pointee.tape.value(ofKey: index))
    }
    return unique(names)
  }

  private func unique(_ names: [String]) -> [String] {
    var seen = Set<String>(minimumCapacity: names.count)
    return names.filter { seen.insert($0).inserted }
  }
}
