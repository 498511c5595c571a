import KeepsakeBase

/// The subsets of updates that survive: all subsets of a few updates, a sample of those of many.
struct Selections: Sequence {
  /// The largest number of updates whose combinations are all tried.
  static let exhaustiveCount = 10

  let count: Int
  /// The number of random combinations of many updates.
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
