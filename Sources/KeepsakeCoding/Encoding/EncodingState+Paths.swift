extension EncodingState {
  /// The keys that lead to a container.
  func codingPath(of token: UInt64) -> [any CodingKey] {
    guard isCurrent(token) else { return [] }
    if let record = record(of: token) { return path(to: record) }
    if let last = level(of: token) {
      return (0...last).compactMap { key(frames[$0].key) }
    }
    guard let container = closed.last(where: { $0.token == token }) else { return [] }
    return codingPath(of: container.parent) + [container.key]
  }

  /// The keys that lead to a record.
  func path(to record: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var record = record
    while record != 0 {
      let parent = Int(records.records[record].parent)
      if record < recordKeys.count, let key = recordKeys[record] {
        path.append(key)
      } else if records.records[parent].kind == .dictionary {
        let text = String(decoding: records.keyBytes(record), as: UTF8.self)
        path.append(AnyCodingKey(key: text))
      } else {
        path.append(AnyCodingKey(index: Int(records.records[record].key)))
      }
      record = parent
    }
    return path.reversed()
  }

  /// The key that a frame tells of.
  func key(_ key: EncodingFrame.Key) -> (any CodingKey)? {
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
