#if Secrets
/// Bytes made from parts so that no two lists of parts make the same: what is authenticated.
struct Transcript {
  private(set) var bytes: [UInt8]

  /// - Parameter purpose: What the bytes are for, so that none serves another end.
  init(_ purpose: String) {
    bytes = []
    append(purpose)
  }

  mutating func append(_ part: some Collection<UInt8>) {
    append(UInt64(part.count))
    bytes += part
  }

  mutating func append(_ text: String) { append(text.utf8) }

  mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}
#endif
