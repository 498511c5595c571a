import KeepsakeBase

/// Which of some updates survive: all combinations of a few, a choice among those of many.
struct Selections: Sequence {
  /// The most updates of which all combinations are tried.
  static let exhaustiveCount = 10

  let count: Int
  /// How many combinations of many updates are drawn at random.
  let samples: Int
  let seed: UInt64

  func makeIterator() -> Iterator {
    Iterator(selections: self, random: SeededRandom(seed: seed))
  }

  struct Iterator: IteratorProtocol {
    let selections: Selections
    var random: SeededRandom
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
