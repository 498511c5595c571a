import Testing

@testable import KeepsakeCoding

@Suite("What holds of every merge") struct MergeLawTests {
  private func expectMerge(
    _ base: JSON.Value?, _ ours: JSON.Value, _ theirs: JSON.Value, is expected: JSON.Value,
    _ seed: UInt64
  ) {
    let result = ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs)
    let isRight = result.value.isSame(as: expected) && result.conflicts.isEmpty
    #expect(isRight, "seed \(seed): \(base ?? nil) | \(ours) | \(theirs) gives \(result)")
  }

  @Test("One side's changes are taken whole, and equal changes once") func oneSide() {
    for seed in UInt64(0)..<1500 {
      var random = RandomJSON(seed: seed)
      let base = random.value()
      let changed = random.changed(base)
      expectMerge(base, base, changed, is: changed, seed)
      expectMerge(base, changed, base, is: changed, seed)
      expectMerge(base, changed, changed, is: changed, seed)
      expectMerge(nil, changed, changed, is: changed, seed)
    }
  }

  @Test("Another way of writing is no change") func writing() {
    for seed in UInt64(0)..<1500 {
      var random = RandomJSON(seed: seed)
      let base = random.value()
      let rewritten = random.rewritten(base)
      let changed = random.changed(base)
      expectMerge(base, changed, rewritten, is: changed, seed)
      expectMerge(rewritten, base, changed, is: changed, seed)
      let kept = ThreeWayMerge.merge(base: base, ours: base, theirs: rewritten).value
      #expect(kept.isSame(as: rewritten, inText: true), "seed \(seed)")
    }
  }

  @Test("Any two changes make something, and no less than both where they are apart")
  func twoSides() {
    for seed in UInt64(0)..<1500 {
      var random = RandomJSON(seed: seed)
      let base = random.object(depth: 3)
      var ours = base
      var theirs = base
      var both = base
      for key in base.keys {
        let changed = random.changed(base[key]!)
        switch random.number(0..<3) {
        case 0:
          ours[key] = changed
          both[key] = changed
        case 1:
          theirs[key] = changed
          both[key] = changed
        default: break
        }
      }
      for (index, key) in ["x", "y"].enumerated() {
        let value = random.value(depth: 1)
        if index == 0 { ours[key] = value } else { theirs[key] = value }
        both[key] = value
      }
      expectMerge(.object(base), .object(ours), .object(theirs), is: .object(both), seed)

      // Nothing is promised of changes that meet but a result.
      let anyOurs = random.changed(.object(base))
      let anyTheirs = random.changed(.object(base))
      let some = ThreeWayMerge.merge(base: .object(base), ours: anyOurs, theirs: anyTheirs)
      let again = ThreeWayMerge.merge(base: .object(base), ours: anyOurs, theirs: anyTheirs)
      #expect(some == again)
    }
  }

  /// Elements with identities: ours changes those with even ones and theirs the others.
  @Test("Changes of different elements are all there, in both orders") func elements() {
    for seed in UInt64(0)..<1000 {
      var random = RandomJSON(seed: seed)
      let count = random.number(0..<12)
      let base: [JSON.Value] = (0..<count).map { ["id": .number(JSON.Number($0)), "v": 0] }
      func edited(_ parity: Int) -> [JSON.Value] {
        var elements: [JSON.Value] = []
        for element in base {
          let id = element["id"].flatMap { number($0) }!
          guard id % 2 == parity else {
            elements.append(element)
            continue
          }
          switch random.number(0..<4) {
          case 0: break
          case 1: elements.append(["id": .number(JSON.Number(id)), "v": .string(random.newText())])
          case 2:
            elements += [element, ["id": .string(random.newText())]]
          default: elements.append(element)
          }
        }
        return elements
      }
      let ours = edited(0)
      let theirs = edited(1)
      let result = ThreeWayMerge.merge(
        base: .array(base), ours: .array(ours), theirs: .array(theirs))
      guard case .array(let merged) = result.value else {
        Issue.record("no array")
        continue
      }
      #expect(result.conflicts.isEmpty)
      let inOurs = Set(ours)
      let inTheirs = Set(theirs)
      let inBase = Set(base)
      let expected = inOurs.intersection(inTheirs).union(inOurs.subtracting(inBase))
        .union(inTheirs.subtracting(inBase))
      #expect(merged.count == expected.count && Set(merged) == expected, "seed \(seed)")
      #expect(merged.filter { inOurs.contains($0) } == ours.filter { expected.contains($0) })
      #expect(merged.filter { inTheirs.contains($0) } == theirs.filter { expected.contains($0) })
    }
  }

  private func number(_ value: JSON.Value) -> Int? {
    guard case .number(let number) = value else { return nil }
    return number.integer()
  }
}
