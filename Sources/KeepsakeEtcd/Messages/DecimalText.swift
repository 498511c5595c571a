#if Etcd
/// An integer of 64 bits, which JSON has as text, as the mapping of protocol buffers to JSON says.
struct DecimalText: Codable, Hashable {
  let value: UInt64

  init(_ value: UInt64) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = UInt64(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not an integer of 64 bits.")
    }
    self.value = value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(value))
  }
}
#endif
