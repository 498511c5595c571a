#if Secrets
/// How much work it takes to try one passphrase (RFC 7914).
public struct ScryptCost: Codable, Hashable, Sendable {
  /// N: how often memory is gone through, a power of two.
  public let rounds: Int
  /// r: the size of a block, in units of 128 bytes.
  public let blockSize: Int
  /// p: how many times all of it is done.
  public let parallelism: Int

  /// A cost of one's own.
  ///
  /// - Precondition: `rounds` is a power of two above 1, and no more than 1 GiB of memory is asked
  ///   for.
  public init(rounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
    self.rounds = rounds
    self.blockSize = blockSize
    self.parallelism = parallelism
    precondition(isUsable, "a cost that scrypt does not have")
  }

  /// 2¹⁷ rounds of blocks of 8: 128 MiB of memory and about half a second.
  public static let standard = ScryptCost(rounds: 1 << 17)

  /// Whether scrypt takes it and a file may ask for it: whoever writes a file must not be able to
  /// make its reader run out of memory or time.
  var isUsable: Bool {
    guard rounds > 1, rounds & (rounds - 1) == 0, rounds <= 1 << 24,
      (1...64).contains(blockSize), (1...16).contains(parallelism)
    else { return false }
    return 128 * rounds * blockSize <= 1 << 30
  }
}
#endif
