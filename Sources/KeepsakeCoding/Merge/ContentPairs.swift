/// Pairs the elements of two rows that have the same content.
///
/// First from both ends; then those whose content stands only once in each row, and from there on
/// in both directions (P. Heckel, 'A technique for isolating differences between files', 1978);
/// the rest in turn. Unlike a longest common subsequence it takes O(*n*), and follows what was
/// moved.
struct ContentPairs {
  private(set) var pairs: [(Int, Int)] = []

  init(_ here: [Int], _ there: [Int]) {
    var start = 0
    while start < min(here.count, there.count), here[start] == there[start] {
      pairs.append((start, start))
      start += 1
    }
    var end = here.count
    var endThere = there.count
    while end > start, endThere > start, here[end - 1] == there[endThere - 1] {
      end -= 1
      endThere -= 1
      pairs.append((end, endThere))
    }
    if start == end || start == endThere { return }

    var groups: [Int: Occurrences] = [:]
    for index in start..<end { groups[here[index], default: Occurrences()].here.append(index) }
    for index in start..<endThere { groups[there[index]]?.there.append(index) }

    var isTaken = Array(repeating: false, count: here.count)
    var isTakenThere = Array(repeating: false, count: there.count)
    func join(_ index: Int, _ other: Int) {
      isTaken[index] = true
      isTakenThere[other] = true
      pairs.append((index, other))
    }
    func canJoin(_ index: Int, _ other: Int) -> Bool {
      (start..<end).contains(index) && (start..<endThere).contains(other)
        && !isTaken[index] && !isTakenThere[other] && here[index] == there[other]
    }
    for index in start..<end where !isTaken[index] {
      guard let group = groups[here[index]], group.here.count == 1, group.there.count == 1 else {
        continue
      }
      let other = group.there[0]
      if isTakenThere[other] { continue }
      join(index, other)
      var distance = 1
      while canJoin(index + distance, other + distance) {
        join(index + distance, other + distance)
        distance += 1
      }
      distance = 1
      while canJoin(index - distance, other - distance) {
        join(index - distance, other - distance)
        distance += 1
      }
    }
    for group in groups.values {
      let free = group.here.filter { !isTaken[$0] }
      let freeThere = group.there.filter { !isTakenThere[$0] }
      for (index, other) in zip(free, freeThere) { join(index, other) }
    }
  }

  private struct Occurrences {
    var here: [Int] = []
    var there: [Int] = []
  }
}
