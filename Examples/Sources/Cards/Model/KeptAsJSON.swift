import Stage

/// A value that a window keeps as JSON, which unlike a property list can say that there is no value.
struct KeptAsJSON<Value: Codable & Sendable>: RawRepresentable, Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }

  init?(rawValue: String) {
    guard let value = try? JSON.Decoder().decode(Value.self, from: Array(rawValue.utf8)) else {
      return nil
    }
    self.value = value
  }

  var rawValue: String {
    (try? JSON.Encoder().encodeToBytes(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
