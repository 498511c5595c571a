/// The elements of one array, with what they are recognised by.
struct ElementList {
  let values: [JSON.Value]
  /// The index of each identity that only one element has.
  let indices: [JSON.Value: Int]
  /// The identity of each element that has one of its own.
  let identities: [JSON.Value?]
  /// Numbers that are equal where contents are the same; different ones where identities are known.
  let contents: [Int]

  init(_ values: [JSON.Value], _ known: inout ElementContents) {
    self.values = values
    indices = ElementIdentity.indices(in: values)
    var identities: [JSON.Value?] = Array(repeating: nil, count: values.count)
    for (identity, index) in indices { identities[index] = identity }
    self.identities = identities
    contents = values.indices.map { index in
      identities[index] == nil ? known.number(of: values[index]) : known.newNumber()
    }
  }

  /// Finds the element here that each element of another version of the array is.
  ///
  /// - Parameter isWhole: Whether the other array has all elements of this one, in order.
  func partners(of other: ElementList, isWhole: Bool) -> [Int?] {
    var partners: [Int?] = Array(repeating: nil, count: other.values.count)
    var isTaken = Array(repeating: false, count: values.count)
    func join(_ index: Int, _ partner: Int) {
      partners[index] = partner
      isTaken[partner] = true
    }
    for (identity, index) in other.indices {
      if let partner = indices[identity] { join(index, partner) }
    }
    let free = other.values.indices.filter { partners[$0] == nil }
    if free.isEmpty { return partners }
    let freeHere = values.indices.filter { !isTaken[$0] }
    if freeHere.isEmpty { return partners }

    let pairs = ContentPairs(freeHere.map { contents[$0] }, free.map { other.contents[$0] })
    for (here, there) in pairs.pairs { join(free[there], freeHere[here]) }
    for gap in gaps(between: other, partners, isTaken) {
      for (here, there) in gap.pairs(of: self, and: other, isWhole: isWhole) { join(there, here) }
    }
    return partners
  }

  /// The runs of elements without partners in both arrays that have the same neighbour.
  private func gaps(
    between other: ElementList, _ partners: [Int?], _ isTaken: [Bool]
  ) -> [ElementGap] {
    var gaps: [ElementGap] = []
    var start = 0
    var isUsed = isTaken
    while start < partners.count {
      guard partners[start] == nil else {
        start += 1
        continue
      }
      var end = start
      while end < partners.count, partners[end] == nil { end += 1 }
      // After the one before, or else before the one after.
      var first = start > 0 ? partners[start - 1]! + 1 : 0
      var last = first
      while last < values.count, !isUsed[last] { last += 1 }
      if first == last, end < partners.count {
        last = partners[end]!
        first = last
        while first > 0, !isUsed[first - 1] { first -= 1 }
      }
      if first < last {
        for index in first..<last { isUsed[index] = true }
        gaps.append(ElementGap(here: first..<last, there: start..<end))
      }
      start = end
    }
    return gaps
  }
}

/// Numbers for the contents of elements, equal where these are the same.
struct ElementContents {
  private var numbers: [Content: Int] = [:]
  private var count = 0

  mutating func newNumber() -> Int {
    count += 1
    return count
  }

  mutating func number(of value: JSON.Value) -> Int {
    let content = Content(value: value, hash: value.hashValue)
    if let number = numbers[content] { return number }
    let number = newNumber()
    numbers[content] = number
    return number
  }

  private struct Content: Hashable {
    let value: JSON.Value
    /// Kept, for the table asks for it whenever it grows.
    let hash: Int

    static func == (a: Self, b: Self) -> Bool { a.hash == b.hash && a.value.isSame(as: b.value) }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }
}
