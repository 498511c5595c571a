/// Which elements of three arrays are the same element.
///
/// Elements that have an identity are the same where it is; the others where their content is, in
/// turn where several have the same. Of the rest, those that stand in the same gap between elements
/// found so are the same where they are most alike (``ElementGap``). All of it is linear in the
/// number of elements but for a gap of some hundreds of changed elements without identities, which
/// is compared by pairs as far as that stays cheap, and beyond that within a small window.
struct ElementMatch {
  let base: [JSON.Value]
  let ours: [JSON.Value]
  let theirs: [JSON.Value]

  /// The index in the base of each of our elements.
  private(set) var baseOfOurs: [Int?]
  /// The index in the base of each of their elements.
  private(set) var baseOfTheirs: [Int?]
  /// The index in theirs of each of our elements.
  private(set) var theirIndex: [Int?]
  /// The index in ours of each of their elements.
  private(set) var ourIndex: [Int?]

  /// Finds the elements that are the same.
  ///
  /// - Parameter isTheirsWhole: Whether theirs has every element of the base, in that order.
  init(
    _ base: [JSON.Value], _ ours: [JSON.Value], _ theirs: [JSON.Value], _ isTheirsWhole: Bool
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    var contents = ElementContents()
    let base = ElementList(base, &contents)
    let ours = ElementList(ours, &contents)
    let theirs = ElementList(theirs, &contents)
    baseOfOurs = base.partners(of: ours, isWhole: false)
    baseOfTheirs = base.partners(of: theirs, isWhole: isTheirsWhole)

    theirIndex = Array(repeating: nil, count: ours.values.count)
    ourIndex = Array(repeating: nil, count: theirs.values.count)
    var theirsOfBase: [Int?] = Array(repeating: nil, count: base.values.count)
    for (their, old) in baseOfTheirs.enumerated() { if let old { theirsOfBase[old] = their } }
    for (our, old) in baseOfOurs.enumerated() {
      if let old, let their = theirsOfBase[old] { join(our, their) }
    }
    joinAdded(ours, theirs)
  }

  private mutating func join(_ our: Int, _ their: Int) {
    theirIndex[our] = their
    ourIndex[their] = our
  }

  /// Joins what both added: the same identity, or the same content.
  private mutating func joinAdded(_ ours: ElementList, _ theirs: ElementList) {
    var isFree = baseOfTheirs.map { $0 == nil }
    for (our, old) in baseOfOurs.enumerated() where old == nil {
      guard let identity = ours.identities[our], let their = theirs.indices[identity],
        isFree[their]
      else { continue }
      isFree[their] = false
      join(our, their)
    }
    var byContent: [Int: [Int]] = [:]
    for their in isFree.indices.reversed() where isFree[their] {
      byContent[theirs.contents[their], default: []].append(their)
    }
    if byContent.isEmpty { return }
    for (our, old) in baseOfOurs.enumerated() where old == nil && theirIndex[our] == nil {
      if let their = byContent[ours.contents[our]]?.popLast() { join(our, their) }
    }
  }

  /// The indices of our elements that all three have and that stand in another order than in the
  /// base: the fewest whose removal puts the rest in order.
  func movedByUs() -> Set<Int> {
    let common = baseOfOurs.indices.filter { baseOfOurs[$0] != nil && theirIndex[$0] != nil }
    // The longest rising row, by the last element of the best row of each length.
    var ends: [Int] = []
    var before: [Int] = Array(repeating: -1, count: common.count)
    for (index, our) in common.enumerated() {
      let old = baseOfOurs[our]!
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if baseOfOurs[common[ends[middle]]]! < old { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : -1
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    if ends.count == common.count { return [] }
    var moved = Set(common)
    var index = ends.last ?? -1
    while index >= 0 {
      moved.remove(common[index])
      index = before[index]
    }
    return moved
  }
}
