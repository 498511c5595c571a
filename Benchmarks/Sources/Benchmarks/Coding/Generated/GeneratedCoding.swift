import Keepsake

/// What code that a macro writes gives a type: a way straight between bytes and fields.
protocol GeneratedCoding: JSON.Readable, JSON.Writable {}

extension JSON.Writer {
  /// Writes a member.
  @inline(__always)
  mutating func write(_ value: some JSON.Writable, key: StaticString) throws(JSON.WriteError) {
    self.key(prejoined: key)
    try value.write(to: &self)
  }
}
