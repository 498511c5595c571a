#if Secrets
/// Bytes that are authenticated: an injective encoding of a list of parts.
struct Transcript {
  private(set) var bytes: [UInt8]

  /// - Parameter purpose: The use of the bytes, so that none can be used for another purpose.
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
