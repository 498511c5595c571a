#if Secrets
extension SecretsKey {
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
    /// - Precondition: RFC 7914 permits the cost, the block size is at most 16, the parallelism at most 16,
    ///   and the product of the three at most twice that of ``standard``: 256 MiB of memory.
    public init(rounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
      self.rounds = rounds
      self.blockSize = blockSize
      self.parallelism = parallelism
      precondition(isUsable, "scrypt does not permit this cost")
    }

    /// 2¹⁷ blocks of 1 KiB: 128 MiB of memory and about half a second.
    public static let standard = SecretsKey.ScryptCost(rounds: 1 << 17)

    /// The maximum product of the three, to which the time is proportional, and the memory if nothing is
    /// repeated.
    private static let limit = 2 * (1 << 17) * 8

    /// Whether scrypt permits the cost, and a file may request it: a forged file must not make its
    /// reader run out of memory or time.
    var isUsable: Bool {
      guard rounds > 1, rounds & (rounds - 1) == 0, rounds <= Self.limit,
        // The library reserves too little memory for larger blocks.
        (1...16).contains(blockSize), (1...16).contains(parallelism),
        blockSize > 1 || rounds < 1 << 16
      else { return false }
      return rounds * blockSize * parallelism <= Self.limit
    }
  }
}
#endif
