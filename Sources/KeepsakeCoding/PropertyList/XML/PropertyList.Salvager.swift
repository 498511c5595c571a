extension PropertyList {
  /// Reads a damaged dictionary entry by entry.
  struct Salvager: ~Copyable {
    private var reader: XMLReader
    private(set) var entries: [(key: String, value: Value)] = []
    private(set) var faults: [Fault] = []

    /// The entries read since the last fault.
    private var pending: [(key: String, value: Value)] = []
    /// Whether the pending entries are surely the root's, and not those of a dictionary in it.
    private var isAtRoot = false
    /// The whitespace that stands between the start of a line and a key of the root, if that
    /// tells such a key from one further in.
    private var indent: [UInt8]?
    /// Whether the end of the property list was read.
    private var hasEnded = false

    init(_ buffer: UnsafeBufferPointer<UInt8>) {
      reader = XMLReader(buffer)
    }
  }
}

extension PropertyList.Salvager {
  typealias Fault = PropertyList.Fault

  mutating func run() {
    do throws(Fault) {
      let (root, isWrapped) = try reader.scanner.readHeader()
      guard root.element == .dict, root.form == .open, isWrapped else {
        // Without <plist> it can be a dictionary further in, its head being lost.
        throw reader.scanner.fault(
          "<\(root.element)> where <plist> and the <dict> around all entries must be",
          at: root.offset)
      }
      isAtRoot = true
      learnIndent()
      if !isAtRoot, !resynchronize(from: 0) { return }
    } catch {
      faults.append(error)
      supposeIndent()
      if !resynchronize(from: indent == nil ? error.offset : 0) { return }
    }
    while readEntries() {}
  }

  /// Reads entries up to a fault or the end.
  ///
  /// - Returns: Whether there is more to read.
  private mutating func readEntries() -> Bool {
    var start = reader.scanner.position
    do throws(Fault) {
      while true {
        reader.enterRoot()
        try reader.scanner.skipFiller()
        start = reader.scanner.position
        let tag = try reader.scanner.readTag()
        if tag.element == .dict, tag.form == .close {
          try readEnd()
          return false
        }
        let valueTag = try reader.readKey(tag)
        try reader.readValue(startingWith: valueTag)
        let entry = try reader.lastEntry()
        try checkEnd(of: entry.value, startingAt: valueTag.offset)
        pending.append(entry)
      }
    } catch {
      faults.append(error.path.isEmpty ? reader.fault(error) : error)
      if isAtRoot || indent != nil { commit() }
      pending = []
      isAtRoot = false
      if hasEnded || reader.scanner.isOpenEnded { return false }
      // Where indents tell, the entry itself is looked through too, as a container in it whose
      // end is damaged takes in what follows it.
      return resynchronize(from: indent == nil ? max(error.offset, start + 1) : start + 1)
    }
  }

  private mutating func commit() {
    entries += pending
    pending = []
  }

  /// Reads what follows the end of a dictionary, which must be the root's.
  private mutating func readEnd() throws(Fault) {
    let end = try reader.scanner.readTag()
    guard end.element == .plist, end.form == .close else {
      // It was a dictionary further in.
      if !isAtRoot { pending = [] }
      throw reader.scanner.fault("</dict> before the end of the property list", at: end.offset)
    }
    commit()
    hasEnded = true
    try reader.scanner.readEnd()
  }

  /// Requires that a container has ended with its own end, and not with that of one around it.
  private func checkEnd(of value: PropertyList.Value, startingAt start: Int) throws(Fault) {
    switch value {
    case .array, .dictionary: break
    default: return
    }
    var next = reader.scanner
    next.skipWhitespace()
    for expected: StaticString in ["<key", "</dict>", "<!--"]
    where next.bytes(at: next.position, are: expected) { return }
    // The file may be cut off behind it. But if there are keys of the root in it, it took them in.
    if indent != nil, nextKey(from: start).map({ $0 >= reader.scanner.position }) ?? true { return }
    throw reader.scanner.fault("a container without its end", at: start)
  }

  // MARK: Keys of the root

  /// Finds out by which indent the keys of the root are known, the root's tag having been read.
  private mutating func learnIndent() {
    var first = reader.scanner
    first.skipWhitespace()
    guard first.bytes(at: first.position, are: "<key") else { return supposeIndent() }
    indent = indent(before: first.position)
    // Keys at the start of the line may be on any level.
    if indent == [] { indent = nil }
    if let learned = indent, learned.count > 1, learned.allSatisfy({ $0 == UInt8(ascii: "\t") }) {
      // Keys less far in are the root's, and this is another dictionary, the head being lost.
      supposeIndent()
      isAtRoot = indent == nil
      if isAtRoot { indent = learned }
    }
  }

  /// Supposes that the keys of the root have the indent that every tool writes, if any key has.
  private mutating func supposeIndent() {
    indent = [UInt8(ascii: "\t")]
    if nextKey(from: 0) == nil { indent = nil }
  }

  /// The whitespace between the start of a line and a key, if there is nothing else, and if the
  /// line before it is not blank.
  ///
  /// One damaged byte makes a key further in look like one of the root only if it leaves a blank
  /// line before it.
  private func indent(before offset: Int) -> [UInt8]? {
    var start = offset
    while start > 0,
      reader.scanner.base[start - 1] == UInt8(ascii: "\t")
        || reader.scanner.base[start - 1] == UInt8(ascii: " ")
    { start -= 1 }
    guard start > 0, reader.scanner.base[start - 1] == UInt8(ascii: "\n"),
      start < 2 || reader.scanner.base[start - 2] != UInt8(ascii: "\n")
    else { return nil }
    return Array(UnsafeBufferPointer(start: reader.scanner.base + start, count: offset - start))
  }

  /// Goes to the next key that can be one of the root.
  private mutating func resynchronize(from start: Int) -> Bool {
    guard let offset = nextKey(from: start) else { return false }
    reader.scanner.position = offset
    return true
  }

  /// The offset of the next key that can be one of the root, outside of comments and CDATA
  /// sections.
  private func nextKey(from start: Int) -> Int? {
    var scan = reader.scanner
    scan.position = start
    while scan.position < scan.count {
      let offset = scan.position
      if scan.bytes(at: offset, are: "<!--") {
        guard let end = scan.firstOffset(of: "-->", from: offset + 4) else { return nil }
        scan.position = end
      } else if scan.bytes(at: offset, are: "<![CDATA[") {
        guard let end = scan.firstOffset(of: "]]>", from: offset + 9) else { return nil }
        scan.position = end
      } else if scan.bytes(at: offset, are: "<key"),
        indent == nil || indent == indent(before: offset)
      {
        return offset
      }
      scan.position += 1
    }
    return nil
  }
}
