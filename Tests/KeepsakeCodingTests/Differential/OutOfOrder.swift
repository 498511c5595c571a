/// A value that is encoded between two uses of a container, which JSON cannot be written in the
/// order of.
struct OutOfOrder<Value: Encodable>: Encodable {
  let value: Value

  private enum CodingKeys: CodingKey { case first, list, value, moreValues }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    try container.encode(1, forKey: .first)
    try list.encode(2)
    try container.encode(value, forKey: .value)
    try list.encode(value)
    try container.encode([value, value], forKey: .moreValues)
  }
}
