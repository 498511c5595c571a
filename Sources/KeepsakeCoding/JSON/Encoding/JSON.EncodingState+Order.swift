extension JSON.EncodingState {
  // MARK: Finding containers

  /// The frame with a ticket.
  func level(of ticket: UInt64) -> Int? {
    guard ticket >= firstTicket else { return nil }
    return (0..<frames.count).last { frames[$0].ticket == ticket }
  }

  /// The node of a container that is kept in a tree.
  func existingNode(_ ticket: UInt64) -> JSON.EncodingNode? {
    for tree in trees.reversed() {
      if let node = tree.nodes[ticket] { return node }
    }
    return nil
  }

  /// Makes a container the innermost by closing those within it, or returns `false` if it is
  /// closed itself, or a value within it is being encoded.
  @inline(never)
  mutating func activate(_ ticket: UInt64) -> Bool {
    guard ticket >= firstTicket, frames.count > 0 else { return false }
    var level = frames.count - 1
    while frames[level].ticket != ticket {
      if frames[level].isScope || level == 0 { return false }
      level -= 1
    }
    guard frames[level].shape != .tree else { return false }
    while frames.count - 1 > level {
      guard closeNested() else { return false }
    }
    activateLast()
    return true
  }

  /// Closes the innermost container, which may be written to again, or returns `false` if that
  /// would move others of that kind.
  private mutating func closeNested() -> Bool {
    let frame = frames.last.pointee
    if frame.shape == .object, closed.count > frame.closedBase,
      needsArrangement(from: frame.recordBase)
    {
      return false
    }
    var scope = frames.count - 1
    while !frames[scope].isScope { scope -= 1 }
    closed.append(
      JSON.ClosedContainer(
        ticket: frame.ticket, parent: frames[frames.count - 2].ticket,
        key: key(frame.key) ?? AnyCodingKey.superKey, start: frame.start,
        isEmpty: frame.shape == .empty, isNested: frame.isNested, scope: scope))
    closeLast()
    return true
  }

  // MARK: Trees

  /// The node of a container that cannot write into the buffer, or `nil` if its value is encoded.
  ///
  /// All containers of its encoder become a tree from then on: it happens once for an encoder, so
  /// all its writes together take linear time, in whatever order they are.
  mutating func node(_ ticket: UInt64) -> JSON.EncodingNode? {
    if let node = existingNode(ticket) { return node }
    guard ticket >= firstTicket else { return nil }
    if var level = level(of: ticket) {
      while !frames[level].isScope { level -= 1 }
      makeTree(ofScope: level)
    } else if let container = closed.last(where: { $0.ticket == ticket }) {
      makeTree(ofScope: container.scope)
    }
    return existingNode(ticket)
  }

  /// Makes a scope that ends a tree if a nested container was opened twice for a key, so that both
  /// become one.
  @inline(never)
  mutating func mergeReopened(_ level: Int) {
    let mayBeReopened = frames.count > level + 1 || closed.count > frames[level].closedBase
    guard mayBeReopened, frames[level].shape != .tree else { return }
    for inner in level..<frames.count
    where frames[inner].shape == .object && hasDuplicates(inner) {
      return makeTree(ofScope: level)
    }
  }

  /// Takes what was written through an encoder out of the buffer.
  private mutating func makeTree(ofScope scope: Int) {
    // The value that is being encoded within it stays where it is.
    var child = scope + 1
    while child < frames.count, !frames[child].isScope { child += 1 }
    let hasChild = child < frames.count
    var parser = JSON.EncodingParser(end: hasChild ? frames[child].mark.start : writer.count)
    var paths: [UInt64: [any CodingKey]] = [:]
    for level in scope..<child {
      let frame = frames[level]
      if frame.isNested { parser.continued.insert(frame.start) }
      let path = codingPath(of: frame.ticket)
      paths[frame.ticket] = path
      parser.expect(ticket: frame.ticket, path: path, at: frame.start)
    }
    let closed = closed[
      frames[scope].closedBase..<(hasChild ? frames[child].closedBase : closed.count)]
    // A container was closed after those within it.
    for container in closed.reversed() {
      if container.isNested { parser.continued.insert(container.start) }
      let path = (paths[container.parent] ?? codingPath(of: container.parent)) + [container.key]
      paths[container.ticket] = path
      parser.expect(ticket: container.ticket, path: path, at: container.start)
    }
    _ = parser.value(
      in: UnsafeBufferPointer(start: writer.base, count: writer.count), at: frames[scope].start)
    for container in closed where container.isEmpty {
      // A later container for the key may have continued it.
      guard let node = parser.nodes[container.ticket], node.values.isEmpty else { continue }
      node.shape = .empty
    }
    trees.append(JSON.EncodingTree(scope: scope, nodes: parser.nodes))

    for level in scope..<child { frames[level].shape = .tree }
    if hasChild {
      frames[child].adopter = frames[child - 1].ticket
    } else {
      frames.truncate(to: scope + 1)
      writer.truncate(to: frames[scope].start)
      records.truncate(to: frames[scope].recordBase)
    }
    activateLast()
  }

  /// Adds a node to the tree of another one, and returns its ticket.
  mutating func addNode(_ node: JSON.EncodingNode, besides ticket: UInt64) -> UInt64 {
    let new = newTicket()
    for index in trees.indices where trees[index].nodes[ticket] != nil {
      trees[index].nodes[new] = node
    }
    return new
  }

  /// Writes a tree to where it was taken from.
  mutating func closeTree(at level: Int) {
    guard let index = trees.lastIndex(where: { $0.scope == level }) else { return }
    let node = trees.remove(at: index).nodes[frames[level].ticket]
    writer.truncate(to: frames[level].start)
    records.truncate(to: frames[level].recordBase)
    node?.write(to: &writer, sortsKeys: sortsKeys)
  }

  /// Gives the value of a frame that has ended to the tree that its container became meanwhile.
  mutating func adopt(_ frame: JSON.EncodingFrame) {
    let key = writer.bytes(from: frame.mark.start, to: frame.start)
    let value = writer.bytes(from: frame.start, to: writer.count - 1)
    writer.truncate(to: frame.mark.start)
    records.truncate(to: frame.mark.records)
    guard let node = existingNode(frame.adopter) else { return }
    switch node.shape {
    case .array: node.values.append(.bytes(value))
    case .object where !key.isEmpty: node.set(.bytes(value), forKey: key)
    case .empty:
      node.shape = .value
      node.bytes = value
    default:
      failure =
        failure
        ?? EncodingError.misused(
          at: node.path, "Another container was encoded while a single value was.")
    }
  }

  // MARK: Paths

  /// The keys that lead to a container.
  func codingPath(of ticket: UInt64) -> [any CodingKey] {
    if let node = existingNode(ticket) { return node.path }
    if let last = level(of: ticket) {
      var path: [any CodingKey] = []
      for level in (0...last).reversed() {
        if let key = key(frames[level].key) { path.append(key) }
        if frames[level].parent != 0 {
          return codingPath(of: frames[level].parent) + path.reversed()
        }
      }
      return path.reversed()
    }
    guard let container = closed.last(where: { $0.ticket == ticket }) else { return [] }
    return codingPath(of: container.parent) + [container.key]
  }

  /// The key that a frame tells of.
  func key(_ key: JSON.EncodingFrame.Key) -> (any CodingKey)? {
    switch key {
    case .none: return nil
    case .index(let index): return AnyCodingKey(index: index)
    case .kept(let index): return index < keptKeys.count ? keptKeys[index] : nil
    case .byte(let byte, let type):
      func make<Key: CodingKey>(_ type: Key.Type) -> any CodingKey {
        // The byte was made from a key of this type, which is one of no bytes if it has one case.
        withUnsafePointer(to: byte) { UnsafeRawPointer($0).load(as: type) }
      }
      return make(type)
    case .inMemory(let pointer, let type):
      // The frame is open, so the call that the key belongs to has not returned.
      func load<Key: CodingKey>(_ type: Key.Type) -> any CodingKey {
        pointer.assumingMemoryBound(to: Key.self).pointee
      }
      return load(type)
    }
  }
}
