import Foundation

/// A value that encodes itself by one of the ways that an encoder offers.
indirect enum Node: Encodable {
  case null, bool(Bool), int(Int), int8(Int8), int16(Int16), int32(Int32), int64(Int64)
  case uint(UInt), uint8(UInt8), uint16(UInt16), uint32(UInt32), uint64(UInt64)
  case float(Float), double(Double), string(String), date(Date), data(Data)
  case uuid(UUID), url(URL), decimal(Decimal)
  case optional(Node?), array([Node]), dictionary([String: Node]), numbered([Int: Int])
  case strings([String]), integers([Int]), texts([String: String])
  case keyed([(String, Node)]), nestedKeyed([(String, Node)]), nestedUnkeyed([Node])
  case superKeyed(Node, Node), superUnkeyed([Node]), twice(String, Node, Node), nothing

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .keyed, .nestedKeyed, .superKeyed, .twice:
      try encodeKeyed(to: encoder.container(keyedBy: AnyKey.self))
    case .nestedUnkeyed(let nodes):
      var container = encoder.unkeyedContainer()
      try container.encodeNil()
      var nested = container.nestedUnkeyedContainer()
      for node in nodes { try nested.encode(node) }
      var keyed = container.nestedContainer(keyedBy: AnyKey.self)
      try keyed.encode(container.count, forKey: AnyKey("count"))
    case .superUnkeyed(let nodes):
      var container = encoder.unkeyedContainer()
      for node in nodes {
        try node.encode(to: container.superEncoder())
        try container.encode(node)
      }
    case .array(let nodes):
      var container = encoder.unkeyedContainer()
      for node in nodes { try node.add(to: &container) }
    case .nothing: break
    default: try encodeSingle(to: encoder.singleValueContainer())
    }
  }

  private func encodeKeyed(to container: KeyedEncodingContainer<AnyKey>) throws {
    var container = container
    switch self {
    case .keyed(let entries):
      for (key, node) in entries { try node.add(to: &container, key: AnyKey(key)) }
    case .nestedKeyed(let entries):
      for (key, node) in entries {
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(key))
        try nested.encode(node, forKey: AnyKey(key))
        // Asked for again it is the same.
        var again = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(key))
        try again.encodeIfPresent(1 as Int?, forKey: AnyKey("again"))
        var list = container.nestedUnkeyedContainer(forKey: AnyKey("list \(key)"))
        try list.encode(node)
        try list.encode(contentsOf: [1, 2] as [Int])
      }
    case .superKeyed(let node, let other):
      try node.encode(to: container.superEncoder())
      try other.encode(to: container.superEncoder(forKey: AnyKey("other")))
      try container.encodeIfPresent(nil as String?, forKey: AnyKey("none"))
    case .twice(let key, let node, let other):
      try container.encode(node, forKey: AnyKey(key))
      try container.encode(other, forKey: AnyKey(key))
    default: break
    }
  }

  private func encodeSingle(to container: any SingleValueEncodingContainer) throws {
    var container = container
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .int8(let value): try container.encode(value)
    case .int16(let value): try container.encode(value)
    case .int32(let value): try container.encode(value)
    case .int64(let value): try container.encode(value)
    case .uint(let value): try container.encode(value)
    case .uint8(let value): try container.encode(value)
    case .uint16(let value): try container.encode(value)
    case .uint32(let value): try container.encode(value)
    case .uint64(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .uuid(let value): try container.encode(value)
    case .url(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .optional(let value): try container.encode(value)
    case .dictionary(let value): try container.encode(value)
    case .numbered(let value): try container.encode(value)
    case .strings(let value): try container.encode(value)
    case .integers(let value): try container.encode(value)
    case .texts(let value): try container.encode(value)
    default: break
    }
  }

  /// Encodes plain values by the container's own methods.
  private func add(to container: inout any UnkeyedEncodingContainer) throws {
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .int8(let value): try container.encode(value)
    case .uint64(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    default: try container.encode(self)
    }
  }

  private func add(to container: inout KeyedEncodingContainer<AnyKey>, key: AnyKey) throws {
    switch self {
    case .null: try container.encodeNil(forKey: key)
    case .bool(let value): try container.encode(value, forKey: key)
    case .int(let value): try container.encodeIfPresent(value, forKey: key)
    case .int16(let value): try container.encode(value, forKey: key)
    case .uint(let value): try container.encode(value, forKey: key)
    case .uint64(let value): try container.encode(value, forKey: key)
    case .float(let value): try container.encodeIfPresent(value, forKey: key)
    case .double(let value): try container.encode(value, forKey: key)
    case .string(let value): try container.encodeIfPresent(value, forKey: key)
    case .date(let value): try container.encode(value, forKey: key)
    case .data(let value): try container.encodeIfPresent(value, forKey: key)
    default: try container.encode(self, forKey: key)
    }
  }
}

extension RandomValues {
  /// A value that both coders can keep.
  mutating func node(depth: Int = 0) -> Node {
    switch below(depth > 3 ? 21 : 34) {
    case 0: return .null
    case 1: return .bool(next() & 1 == 0)
    case 2: return .int(Int(truncatingIfNeeded: next()) >> below(64))
    case 3: return .int8(Int8(truncatingIfNeeded: next()))
    case 4: return .int16(Int16(truncatingIfNeeded: next()))
    case 5: return .int32(Int32(truncatingIfNeeded: next()))
    case 6: return .int64(Int64(truncatingIfNeeded: next()) >> below(64))
    case 7: return .uint(UInt(next()) >> below(64))
    case 8: return .uint8(UInt8(truncatingIfNeeded: next()))
    case 9: return .uint16(UInt16(truncatingIfNeeded: next()))
    case 10: return .uint32(UInt32(truncatingIfNeeded: next()))
    case 11: return .uint64(next() >> below(64))
    case 12: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: next())))
    case 13: return .double(Double(bitPattern: next()))
    case 14: return .double(Double(below(100_000)) / 100)
    case 15: return .date(Date(timeIntervalSinceReferenceDate: Double(below(1 << 33)) - 1e9))
    case 16: return .data(Data((0..<below(90)).map { _ in UInt8(truncatingIfNeeded: next()) }))
    case 17: return .uuid(UUID(uuid: unsafeBitCast((next(), next()), to: uuid_t.self)))
    case 18: return .url(URL(string: "https://example.com/\(below(1000))?q=\(below(9))")!)
    case 19: return .decimal(Decimal(below(1 << 40)) / 100)
    case 20, 21: return .string(string())
    case 22: return .optional(next() & 1 == 0 ? nil : node(depth: depth + 1))
    case 23: return .array((0..<below(5)).map { _ in node(depth: depth + 1) })
    case 24:
      return .dictionary(
        Dictionary((0..<below(5)).map { _ in (string(), node(depth: depth + 1)) }) { $1 })
    case 25: return .numbered([below(100): below(100), -below(9) - 1: 2])
    case 26: return .strings((0..<below(5)).map { _ in string() })
    case 27: return .integers((0..<below(5)).map { _ in below(1000) })
    case 28: return .texts(["a": string(), string() + "b": string()])
    case 29: return .keyed((0..<below(6)).map { ("\($0)" + string(), node(depth: depth + 1)) })
    case 30: return .nestedKeyed((0..<below(3)).map { ("key \($0)", node(depth: depth + 1)) })
    case 31: return .nestedUnkeyed((0..<below(3)).map { _ in node(depth: depth + 1) })
    case 32: return .superKeyed(node(depth: depth + 1), node(depth: depth + 1))
    default:
      if next() & 1 == 0 { return .twice(string(), node(depth: depth + 1), .int(below(9))) }
      return next() & 1 == 0
        ? .superUnkeyed((0..<below(3)).map { _ in node(depth: depth + 1) }) : .nothing
    }
  }
}
