/// A hash of bytes that is the same in each run of the app, as that of `Hasher` is not (FNV-1a).
///
/// - Parameter start: The hash of what comes before the bytes.
public func stableHash(
  _ bytes: some Sequence<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325
) -> UInt64 {
  bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
