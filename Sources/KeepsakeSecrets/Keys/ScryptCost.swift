#if Secrets
/// The work of trying one passphrase (RFC 7914).
public struct ScryptCost: Codable, Hashable, Sendable {
  /// N: the number of blocks in memory, a power of two.
  public let rounds: Int
  /// r: the size of a block, in units of 128 bytes.
  public let blockSize: Int
  /// p: the number of repetitions.
  public let parallelism: Int

  /// Creates a cost.
  ///
  /// - Precondition: `rounds` is a power of two above 1, the others are at least 1, and the product of
  ///   the three is at most four times that of ``standard``: 512 MiB of memory.
  public init(rounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
    self.rounds = rounds
    self.blockSize = blockSize
    self.parallelism = parallelism
    precondition(isUsable, "scrypt does not permit this cost")
  }

  /// 2¹⁷ blocks of 1 KiB: 128 MiB of memory and about half a second.
  public static let standard = ScryptCost(rounds: 1 << 17)

  /// The maximum product of the three: time is proportional to it, and memory is at most.
  private static let limit = 4 * (1 << 17) * 8

  /// Whether scrypt permits the cost, and a file may request it: a forged file must not make its
  /// reader run out of memory or time.
  var isUsable: Bool {
    guard rounds > 1, rounds & (rounds - 1) == 0, rounds <= Self.limit,
      (1...64).contains(blockSize), (1...16).contains(parallelism)
    else { return false }
    return rounds * blockSize * parallelism <= Self.limit
  }
}
#endif
