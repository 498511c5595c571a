extension TapeValues {
  /// The keys and indices that lead to a value.
  ///
  /// No position is recorded on the way down: a path is computed from the tape when it is requested.
  ///
  /// - Complexity: O(*n*) in the number of values before it on each level, or since the last value
  ///   there whose path was requested.
  func path(to target: Int) -> [any CodingKey] {
    if target < 0 {
      let absence = state.pointee.absences[-target - 1]
      return path(to: absence.object) + [absence.key]
    }
    var path: [any CodingKey] = []
    if let origin = state.pointee.origin {
      path = JSON.path(
        to: origin, in: state.pointee.tape.input, syntax: state.pointee.options.syntax
      ).map(AnyCodingKey.init)
    }
    var index = 0
    while index != target {
      switch state.pointee.tape.kind(index) {
      case .array:
        let start = state.pointee.steps.entry(before: target, in: index, Tape.arrayHeader)
        var (element, number) = start
        while state.pointee.tape.next(element) <= target {
          element = state.pointee.tape.next(element)
          number += 1
        }
        state.pointee.steps.remember(element, number, in: index, after: start)
        path.append(AnyCodingKey(index: number))
        index = element
      case .object:
        let start = state.pointee.steps.entry(before: target, in: index, Tape.objectHeader)
        var (key, number) = start
        var value = state.pointee.tape.value(ofKey: key)
        while state.pointee.tape.next(value) <= target {
          key = state.pointee.tape.next(value)
          value = state.pointee.tape.value(ofKey: key)
          number += 1
        }
        state.pointee.steps.remember(key, number, in: index, after: start)
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
    case .exact: return KeyTypes.key(text, number: type)
    case .separated(let separator):
      // A dictionary's keys are never converted.
      if type == 0 { return AnyCodingKey(key: text) }
      return KeyTypes.key(JSON.camelCase(text, separator: separator), number: type)
    case .custom:
      // A dictionary's keys are never converted, and no table was made for them.
      guard let name = state.pointee.tables[object]?.name(ofKeyAt: key) else {
        return AnyCodingKey(stringValue: text)
      }
      return type == 0 ? name : KeyTypes.key(name.stringValue, number: type)
    }
  }

  /// The location of a value in the file; `nil` if there is no file.
  func location(of index: Int) -> TextLocation? {
    let index = index < 0 ? state.pointee.absences[-index - 1].object : index
    let offset = state.pointee.tape.offset(index)
    switch state.pointee.tape.format {
    case .memory: return nil
    case .binary: return TextLocation(byte: offset)
    // A string's offset is that of its first character.
    case .json:
      return location(atOffset: state.pointee.tape.is(.string, index) ? offset - 1 : offset)
    case .xml, .openStep: return location(atOffset: offset)
    }
  }

  func location(atOffset offset: Int) -> TextLocation {
    state.pointee.locations.location(of: offset, in: state.pointee.tape.input.bytes)
  }
}

/// How far into arrays and objects the requested paths led, so that a loop over the
/// values of one goes on from there.
struct PathSteps {
  private var last: [Int: (index: Int, number: Int)] = [:]

  /// The last row of a container that a path led to, if it is not behind a target; else the
  /// first, after the container's header.
  func entry(before target: Int, in container: Int, _ header: Int) -> (index: Int, number: Int) {
    if let last = last[container], last.index <= target { return last }
    return (container + header, 0)
  }

  /// Remembers a row that was far to go to: nearer ones are found as fast again, and so what is
  /// remembered takes little beside the text.
  mutating func remember(
    _ index: Int, _ number: Int, in container: Int, after start: (index: Int, number: Int)
  ) {
    if number >= start.number + 16 { last[container] = (index, number) }
  }
}
