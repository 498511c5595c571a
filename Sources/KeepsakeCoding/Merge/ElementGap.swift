/// Runs of elements in two arrays that have no partners yet and stand between the same neighbours.
struct ElementGap {
  var here: Range<Int>
  var there: Range<Int>

  /// The most pairs that are compared each with each.
  private static let pairLimit = 1 << 14
  /// How many elements ahead a partner is looked for in longer runs.
  private static let window = 16

  /// Pairs the elements that are most alike, in order.
  ///
  /// - Parameter isWhole: Whether the run there has all elements of the one here, so that each has a
  ///   partner however little they are alike.
  func pairs(
    of list: ElementList, and other: ElementList, isWhole: Bool
  ) -> [(Int, Int)] {
    let sees = Comparison(list: list, other: other, gap: self, isWhole: isWhole)
    if here.count == there.count, isWhole || sees.isAllScalars {
      return zip(here, there).filter { list.values[$0].isSameKind(as: other.values[$1]) }
    }
    // Of a whole run, element i can be no further on than there are elements too many.
    let slack = isWhole && here.count <= there.count ? there.count - here.count : nil
    let cells = here.count * (slack.map { $0 + 1 } ?? there.count)
    return cells <= Self.pairLimit ? best(sees, slack) : near(sees, slack)
  }

  /// The pairs with the highest sum of similarityes.
  private func best(_ sees: Comparison, _ slack: Int?) -> [(Int, Int)] {
    let rows = here.count
    let columns = there.count
    // With slack the table is a band, in which column j of row i stands at j - i; without, that
    // would be longer than the whole one.
    let width = 1 + (slack ?? columns)
    func start(_ row: Int) -> Int { slack == nil ? 0 : row }
    var sums = Array(repeating: 0, count: (rows + 1) * width)
    var steps = [UInt8](repeating: 0, count: sums.count)
    func cell(_ row: Int, _ column: Int) -> Int? {
      let place = column - start(row)
      return column >= 0 && place >= 0 && place < width ? row * width + place : nil
    }
    for row in 0...rows {
      for column in start(row)..<start(row) + width {
        guard let index = cell(row, column) else { continue }
        if row > 0, let up = cell(row - 1, column) {
          (sums[index], steps[index]) = (sums[up], 1)
        }
        if column > 0, let left = cell(row, column - 1), sums[left] > sums[index] || row == 0 {
          (sums[index], steps[index]) = (sums[left], 2)
        }
        if row > 0, column > 0, let across = cell(row - 1, column - 1) {
          let similarity = sees.similarity(row - 1, column - 1)
          if similarity > 0, sums[across] + similarity >= sums[index] {
            (sums[index], steps[index]) = (sums[across] + similarity, 3)
          }
        }
      }
    }
    var pairs: [(Int, Int)] = []
    var (row, column) = (rows, columns)
    while let index = cell(row, column), row > 0 || column > 0 {
      switch steps[index] {
      case 1: row -= 1
      case 3:
        row -= 1
        column -= 1
        pairs.append((here.lowerBound + row, there.lowerBound + column))
      default: column -= 1
      }
    }
    return pairs
  }

  /// For each element in turn the one that is most alike of the next few.
  private func near(_ sees: Comparison, _ slack: Int?) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    var next = 0
    for row in 0..<here.count {
      let end = min(slack.map { row + $0 + 1 } ?? there.count, next + Self.window, there.count)
      var found: (column: Int, similarity: Int)?
      for column in next..<max(next, end) {
        let similarity = sees.similarity(row, column)
        if similarity > found?.similarity ?? 0 { found = (column, similarity) }
      }
      guard let found else { continue }
      pairs.append((here.lowerBound + row, there.lowerBound + found.column))
      next = found.column + 1
    }
    return pairs
  }
}

/// How alike the elements of two runs are.
private struct Comparison {
  let list: ElementList
  let other: ElementList
  let gap: ElementGap
  let isWhole: Bool

  var isAllScalars: Bool {
    !list.values[gap.here].contains(where: \.isContainer)
      && !other.values[gap.there].contains(where: \.isContainer)
  }

  /// 0 for elements that cannot be the same.
  func similarity(_ row: Int, _ column: Int) -> Int {
    let here = gap.here.lowerBound + row
    let there = gap.there.lowerBound + column
    // Both have identities, and these are different ones.
    if list.identities[here] != nil && other.identities[there] != nil { return 0 }
    let value = list.values[here]
    let candidate = other.values[there]
    guard value.isSameKind(as: candidate) else { return 0 }
    var count = Similarity()
    count.compare(value, candidate)
    if isWhole { return 1 + 16 * count.same }
    return value.isContainer && count.same * 2 >= count.all ? 1 + count.same : 0
  }
}
