extension JSON.Entries {
  /// The keys and indices that lead to a value.
  ///
  /// Nothing on the way down notes where it is: the tape says it all, once somebody asks.
  ///
  /// - Complexity: O(*n*) in the number of values before it on each level.
  func path(to target: Int) -> [any CodingKey] {
    if target < 0 {
      let absence = state.pointee.absences[-target - 1]
      return path(to: absence.object) + [absence.key]
    }
    var path: [any CodingKey] = []
    var index = 0
    while index != target {
      switch state.pointee.tape.kind(index) {
      case .array:
        var (element, number) = state.pointee.places.element(before: target, in: index)
        while state.pointee.tape.next(element) <= target {
          element = state.pointee.tape.next(element)
          number += 1
        }
        state.pointee.places.remember(element, number, in: index)
        path.append(JSON.PathKey(index: number))
        index = element
      case .object:
        var key = index + JSON.Tape.objectHeader
        var value = state.pointee.tape.next(key)
        while state.pointee.tape.next(value) <= target {
          key = state.pointee.tape.next(value)
          value = state.pointee.tape.next(key)
        }
        path.append(name(of: key, in: index))
        index = value
      default: return path
      }
    }
    return path
  }

  /// A key as the type knows it.
  private func name(of key: Int, in object: Int) -> any CodingKey {
    let text = state.pointee.tape.text(key)
    let type = state.pointee.tape.keyType(of: object)
    switch state.pointee.keys {
    case .exact: return JSON.KeyTypes.key(text, number: type)
    case .separated(let separator):
      return JSON.KeyTypes.key(JSON.camelCase(text, separator: separator), number: type)
    case .custom:
      // A dictionary's keys are never converted, and no table was made for them.
      let entry = state.pointee.tables[object]?.entries.first { $0.key == key }
      return entry.map {
        type == 0 ? $0.name : JSON.KeyTypes.key($0.name.stringValue, number: type)
      }
        ?? JSON.PathKey(stringValue: text)
    }
  }

  /// The place of a value in the text.
  func location(of index: Int) -> JSON.Location {
    let index = index < 0 ? state.pointee.absences[-index - 1].object : index
    let input = state.pointee.tape.input
    var offset = state.pointee.tape.offset(index)
    // A string's offset is that of what is in it.
    if state.pointee.tape.is(.string, index) { offset -= 1 }
    return state.pointee.places.location(
      of: offset, in: UnsafeBufferPointer(start: input.start, count: input.count))
  }
}

extension JSON.PlaceFinder {
  /// The last element of an array that a path led to, if it is not behind a target; else the first.
  func element(before target: Int, in array: Int) -> (index: Int, number: Int) {
    if let last = elements[array], last.index <= target { return last }
    return (array + JSON.Tape.arrayHeader, 0)
  }

  mutating func remember(_ element: Int, _ number: Int, in array: Int) {
    // Some arrays are enough: a loop over one goes on where it was.
    if elements.count >= 64 { elements.removeAll(keepingCapacity: true) }
    elements[array] = (element, number)
  }
}
