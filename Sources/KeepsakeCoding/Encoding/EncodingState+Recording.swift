/// Recording: values of any container, in any order.
extension EncodingState {
  /// The record of a container, or `nil` if it has none: the encoding is not recorded, or the
  /// container is not of this encoding.
  @inline(__always)
  func record(of token: UInt64) -> Int? {
    guard isCurrent(token) else { return nil }
    let record = token &- firstRecordToken
    if record < UInt64(truncatingIfNeeded: records.count) { return Int(truncatingIfNeeded: record) }
    return recordsOfTokens.isEmpty ? nil : recordsOfTokens[token]
  }

  /// Makes a record a container, unless it is one already.
  ///
  /// - Returns: Whether it is the container.
  mutating func open(_ record: Int, _ kind: Records.Kind) -> Bool {
    if records.records[record].kind == .text { expand(record, kind) }
    if records.records[record].kind == .none { records.set(record, kind) }
    return records.records[record].kind == kind
  }

  /// Whether a record may be an object or array, or hold one.
  @inline(__always)
  func canOpen(_ record: Int, inside: Bool = false) -> Bool {
    let depth = Int(records.records[record].depth) + (inside ? 2 : 1)
    return depth <= (options.format == .json ? JSON.Writer.maximumDepth : PropertyList.maximumDepth)
  }

  /// Ends a scope that began before the encoding was recorded.
  mutating func endRecordedScope(at level: Int) {
    guard level < frames.count else { return }
    let frame = frames[level]
    frames.truncate(to: level)
    if case .none = frame.key { return }
    records.link(frame.record)
  }

  /// Notes the key of a record for coding paths.
  mutating func keep(_ key: any CodingKey, of record: Int) {
    while recordKeys.count <= record { recordKeys.append(nil) }
    recordKeys[record] = key
  }

  /// Sets a record to what was written as JSON from an offset on, a comma after it.
  mutating func setText(_ record: Int, from start: Int) {
    setText(record, from: start, to: writer.count - 1)
  }

  private mutating func setText(_ record: Int, from start: Int, to end: Int) {
    guard end - start < UInt32.max else {
      let path = path(to: record)
      failure = failure ?? EncodingError.misused(at: path, "The value is 4 GiB of JSON or more.")
      return
    }
    records.set(record, textAt: start, count: end - start)
  }

  // MARK: The beginning

  /// Makes records of what was written: containers that are open, or may be written to again, and
  /// the text of every other value in them.
  @inline(never)
  mutating func startRecording() {
    beginRecording()
    var nested: Set<Int> = []
    var reopenable: [Int: ClosedContainer] = [:]
    for container in closed { reopenable[container.start] = container }
    for level in 0..<frames.count {
      let frame = frames[level]
      let end = level + 1 < frames.count ? frames[level + 1].mark.start : writer.count
      let record = level == 0 ? 0 : addRecord(of: frame, to: frames[level - 1].record)
      frames[level].record = record
      recordsOfTokens[frame.token] = record
      if frame.isNested { nested.insert(record) }
      switch frame.shape {
      case .empty: break
      case .value: setText(record, from: frame.start, to: end - 1)
      case .object, .array:
        records.set(record, frame.shape == .object ? .dictionary : .array)
        _ = addElements(
          to: record, from: frame.start + 1, to: end, reopenable: reopenable, nested: &nested)
      }
      if level > 0, !frame.isScope { records.link(record) }
    }
    merge(nested)
    entries.removeAll()
    closed.removeAll()
    keptKeys.removeAll()
  }

  /// Adds the record of an open frame, whose key is in the buffer.
  private mutating func addRecord(of frame: EncodingFrame, to parent: Int) -> Int {
    let record: Int
    switch (frame.key, records.records[parent].kind) {
    // Of a single value: it is that of the record.
    case (.none, _): return parent
    case (_, .dictionary):
      record = addRecord(keyFrom: frame.mark.start, to: frame.start, in: parent)
    default: record = records.addElement(to: parent)
    }
    if let key = key(frame.key) { keep(key, of: record) }
    return record
  }

  /// Adds a record with the key that is in the buffer, with quotation marks and colon.
  private mutating func addRecord(keyFrom start: Int, to end: Int, in parent: Int) -> Int {
    let text = UnsafeBufferPointer(start: writer.base + start, count: end - start)
    return WrittenKey.unescaped(WrittenKey.content(text)).withUnsafeBufferPointer {
      records.add(to: parent, key: $0)
    }
  }

  /// Adds the elements of an object or array that is in the buffer.
  ///
  /// - Parameters:
  ///   - start: After its bracket.
  ///   - end: Before an element that is still being written, or anywhere after its end.
  ///   - reopenable: The containers that get a record with elements, by where they begin.
  ///   - nested: Gets the records of nested containers.
  /// - Returns: Where the container ends.
  private mutating func addElements(
    to record: Int, from start: Int, to end: Int, reopenable: [Int: ClosedContainer],
    nested: inout Set<Int>
  ) -> Int {
    let isObject = records.records[record].kind == .dictionary
    var offset = start
    while offset < end {
      switch writer.base[offset] {
      case UInt8(ascii: "}"), UInt8(ascii: "]"): return offset + 1
      case UInt8(ascii: ","): offset += 1
      default:
        let element: Int
        if isObject {
          let value = writer.endOfString(at: offset) + 1
          element = addRecord(keyFrom: offset, to: value, in: record)
          offset = value
        } else {
          element = records.addElement(to: record)
        }
        records.link(element)
        let start = offset
        let kind = kindOfValue(at: start)
        if let container = reopenable[start] {
          recordsOfTokens[container.token] = element
          keep(container.key, of: element)
          if container.isNested { nested.insert(element) }
          if let kind {
            if !container.isEmpty { records.set(element, kind) }
            offset = addElements(
              to: element, from: start + 1, to: end, reopenable: reopenable, nested: &nested)
            continue
          }
        }
        offset = writer.endOfValue(at: start)
        setText(element, from: start, to: offset)
      }
    }
    return offset
  }

  /// The kind of container that begins at an offset of the buffer.
  private func kindOfValue(at offset: Int) -> Records.Kind? {
    switch writer.base[offset] {
    case UInt8(ascii: "{"): .dictionary
    case UInt8(ascii: "["): .array
    default: nil
    }
  }

  /// Makes records of the elements of an object or array that is text.
  private mutating func expand(_ record: Int, _ kind: Records.Kind) {
    let start = Int(records.records[record].payload)
    let end = start + Int(records.records[record].count)
    guard start < end, kindOfValue(at: start) == kind else { return }
    records.records[record].count = 0
    records.set(record, kind)
    var nested: Set<Int> = []
    _ = addElements(to: record, from: start + 1, to: end, reopenable: [:], nested: &nested)
  }

  /// Makes one container of those that were opened for the same key, and of other values with equal
  /// keys the last.
  private mutating func merge(_ nested: Set<Int>) {
    var replacements: [Int: Int] = [:]
    // What a record holds comes after it, also what is moved there.
    var record = 0
    while record < records.count {
      defer { record += 1 }
      guard records.records[record].kind == .dictionary else { continue }
      let groups = records.equalKeys(of: record)
      guard !groups.isEmpty else { continue }
      let merged = groups.map { group in
        var last = group[0]
        for next in group.dropFirst() {
          let kind = records.records[next].kind
          if nested.contains(next), open(last, kind) {
            records.setElements(
              of: last, to: records.elements(of: last) + records.elements(of: next))
            replacements[next] = last
          } else {
            last = next
          }
        }
        return (group, by: last)
      }
      records.setElements(of: record, to: records.elements(of: record, replacing: merged))
    }
    guard !replacements.isEmpty else { return }
    for (token, record) in recordsOfTokens {
      recordsOfTokens[token] = replacements[record] ?? record
    }
    for level in 0..<frames.count {
      frames[level].record = replacements[frames[level].record] ?? frames[level].record
      if level > 0, frames[level].record != frames[level - 1].record {
        records.setParent(of: frames[level].record, frames[level - 1].record)
      }
    }
  }

  // MARK: The end

  /// The text of everything that was encoded.
  mutating func takeText() -> JSON.Writer {
    var output = JSON.Writer(capacity: writer.count + 1024)
    output.escapedSlash = writer.escapedSlash
    var elements = GrowingBuffer<Int>()
    write(0, to: &output, elements: &elements)
    output.removeLastComma()
    return output
  }

  private func write(
    _ record: Int, to output: inout JSON.Writer, elements: inout GrowingBuffer<Int>
  ) {
    let isObject = records.records[record].kind == .dictionary
    switch records.records[record].kind {
    case .text:
      output.append(
        UnsafeRawBufferPointer(
          start: writer.base + Int(records.records[record].payload),
          count: Int(records.records[record].count)))
      output.append(UInt8(ascii: ","))
    case .array, .dictionary:
      output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
      let start = elements.count
      if !isObject {
        records.appendElements(of: record, to: &elements)
      } else if sortsKeys {
        records.appendSortedElements(of: record, to: &elements)
      } else {
        records.appendUniqueElements(of: record, to: &elements)
      }
      for index in start..<elements.count {
        let element = elements[index]
        if isObject {
          output.writeString(records.keyBytes(element), followedBy: UInt8(ascii: ":"))
        }
        write(element, to: &output, elements: &elements)
      }
      elements.truncate(to: start)
      output.close(with: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    default: output.append("{},")
    }
  }
}

extension JSON.Writer {
  /// Where a string of what was written ends.
  fileprivate func endOfString(at start: Int) -> Int {
    Self.endOfString(UnsafeBufferPointer(start: base, count: count), from: start + 1)
  }

  /// Where a value of what was written ends.
  fileprivate func endOfValue(at start: Int) -> Int {
    var depth = 0
    var offset = start
    while offset < count {
      switch base[offset] {
      case UInt8(ascii: "\""):
        offset = endOfString(at: offset)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return offset }
        depth -= 1
      case UInt8(ascii: ","):
        if depth == 0 { return offset }
      default: break
      }
      offset += 1
    }
    return offset
  }
}
