/// Which of some updates survive: all combinations of a few, a choice among those of many.
struct Selections: Sequence {
  /// The most updates of which all combinations are tried.
  static let exhaustiveCount = 10

  let count: Int
  /// How many combinations of many updates are drawn at random.
  let samples: Int
  let seed: UInt64

  func makeIterator() -> Iterator {
    Iterator(selections: self, random: SplitMix64(seed: seed))
  }

  struct Iterator: IteratorProtocol {
    let selections: Selections
    var random: SplitMix64
    var step = 0

    mutating func next() -> [Bool]? {
      defer { step += 1 }
      return selections.count <= Selections.exhaustiveCount ? combination() : choice()
    }

    private func combination() -> [Bool]? {
      guard step < 1 << selections.count else { return nil }
      return (0..<selections.count).map { step & 1 << $0 != 0 }
    }

    private mutating func choice() -> [Bool]? {
      let count = selections.count
      let indices = 0..<count
      return switch step {
      case 0...count: indices.map { $0 < step }
      case ...(2 * count): indices.map { $0 != step - count - 1 }
      case ...(3 * count): indices.map { $0 == step - 2 * count - 1 }
      case ...(3 * count + selections.samples): indices.map { _ in random.next() & 1 == 0 }
      default: nil
      }
    }
  }
}

/// A generator of numbers that are the same for the same seed on every machine.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
