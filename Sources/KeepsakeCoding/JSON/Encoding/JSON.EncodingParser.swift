extension JSON {
  /// Takes apart what a writer wrote: valid JSON without spaces, the end of which may be missing.
  struct EncodingParser {
    /// Where the text ends.
    let end: Int
    /// The containers that are looked for, by where they begin.
    private var expected: [Int: (ticket: UInt64, path: [any CodingKey])] = [:]
    /// Where values begin that go on with one that is there for their key.
    var continued: Set<Int> = []
    /// The containers that were looked for, by their tickets.
    private(set) var nodes: [UInt64: JSON.EncodingNode] = [:]

    init(end: Int) { self.end = end }

    mutating func expect(ticket: UInt64, path: [any CodingKey], at start: Int) {
      expected[start] = (ticket, path)
    }

    /// The value that begins at an offset, and where it ends.
    mutating func value(
      in bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (value: JSON.EncodingNode.Value, end: Int) {
      guard let (ticket, path) = expected.removeValue(forKey: start) else {
        let end = endOfValue(bytes, at: start)
        return (.bytes(Array(bytes[start..<end])), end)
      }
      let node = JSON.EncodingNode(path: path)
      nodes[ticket] = node
      return (.node(node), fill(node, in: bytes, at: start))
    }

    /// Fills an empty node with the value that begins at an offset, and returns where it ends.
    @discardableResult
    mutating func fill(
      _ node: JSON.EncodingNode, in bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> Int {
      guard start < end else { return start }
      switch bytes[start] {
      case UInt8(ascii: "{"): node.shape = .object
      case UInt8(ascii: "["): node.shape = .array
      default:
        let end = endOfValue(bytes, at: start)
        node.shape = .value
        node.bytes = Array(bytes[start..<end])
        return end
      }
      var offset = start + 1
      while offset < end {
        let byte = bytes[offset]
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return offset + 1 }
        if byte == UInt8(ascii: ",") {
          offset += 1
          continue
        }
        if node.shape == .array {
          let (value, end) = value(in: bytes, at: offset)
          node.values.append(value)
          offset = end
        } else {
          let colon = JSON.Writer.endOfString(bytes, from: offset + 1)
          let key = Array(bytes[offset..<min(colon + 1, end)])
          offset = colon + 1
          offset = member(of: node, key, in: bytes, at: offset)
        }
      }
      if node.shape == .array, expected[offset] != nil {
        // The container that is open within has no text yet.
        node.values.append(value(in: bytes, at: offset).value)
      }
      return offset
    }

    private mutating func member(
      of node: JSON.EncodingNode, _ key: [UInt8], in bytes: UnsafeBufferPointer<UInt8>,
      at start: Int
    ) -> Int {
      guard continued.contains(start), start < end else {
        let (value, end) = value(in: bytes, at: start)
        node.set(value, forKey: key)
        return end
      }
      let shape: JSON.EncodingFrame.Shape = bytes[start] == UInt8(ascii: "{") ? .object : .array
      let container = expected.removeValue(forKey: start)
      let child = node.child(shape, forKey: key, path: container?.path ?? [])
      if let container { nodes[container.ticket] = child }
      if child.take(shape) { return fill(child, in: bytes, at: start) }
      // A value, or a container of the other kind, is replaced.
      let replacement = JSON.EncodingNode(path: container?.path ?? [])
      if let container { nodes[container.ticket] = replacement }
      node.set(.node(replacement), forKey: key)
      return fill(replacement, in: bytes, at: start)
    }

    /// Where the value that begins at an offset ends.
    private func endOfValue(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
      var depth = 0
      var offset = start
      while offset < end {
        switch bytes[offset] {
        case UInt8(ascii: "\""):
          offset = min(JSON.Writer.endOfString(bytes, from: offset + 1), end)
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
}
