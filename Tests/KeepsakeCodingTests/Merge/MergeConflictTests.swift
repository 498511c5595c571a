import Testing

@testable import KeepsakeCoding

@Suite("Two changes of one document") struct MergeConflictTests {
  private func merge(
    _ base: JSON.Value?, _ ours: JSON.Value, _ theirs: JSON.Value
  ) -> MergeResult {
    ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs)
  }

  @Test("of one value are a conflict, in which ours is taken") func scalar() {
    let result = merge(["a": ["b": 1], "c": 1], ["a": ["b": 2], "c": 2], ["a": ["b": 3], "c": 1])
    #expect(result.value == ["a": ["b": 2], "c": 2])
    #expect(
      result.conflicts == [
        JSON.MergeConflict(path: [.key("a"), .key("b")], base: 1, ours: 2, theirs: 3)
      ])
    #expect(result.conflicts.first?.description == "a.b: ours is 2, theirs is 3")
  }

  @Test("keep what one changed and the other removed") func removed() {
    let base: JSON.Value = ["a": 1, "list": [["id": "x", "v": 1], ["id": "y", "v": 1]]]
    let changed: JSON.Value = ["a": 2, "list": [["id": "x", "v": 2], ["id": "y", "v": 1]]]
    let removed: JSON.Value = ["list": [["id": "y", "v": 1]]]
    for isOurs in [true, false] {
      let result = merge(base, isOurs ? changed : removed, isOurs ? removed : changed)
      #expect(result.value == changed)
      #expect(result.conflicts.count == 2)
      for conflict in result.conflicts {
        #expect((conflict.ours == nil) != isOurs)
        #expect((conflict.theirs == nil) == isOurs)
        #expect(conflict.base != nil)
      }
      let places = Set(result.conflicts.map(\.path))
      #expect(places == [[.key("a")], [.key("list"), .index(0)]])
    }
  }

  @Test("without a base are joined by key and identity") func noBase() {
    let result = merge(
      nil, ["a": 1, "n": [1, 2], "list": [["id": 1], ["id": 2]]],
      ["b": 2, "n": [3], "list": [["id": 2, "t": true], ["id": 3]]])
    #expect(result.value["a"] == 1)
    #expect(result.value["b"] == 2)
    // Nobody can say which numbers are the same.
    #expect(result.value["n"] == [1, 2])
    #expect(result.conflicts.map(\.path) == [[.key("n")]])
    guard case .array(let list)? = result.value["list"] else { return #expect(Bool(false)) }
    #expect(Set(list) == [["id": 1], ["id": 2, "t": true], ["id": 3]])
    #expect(list.count == 3)
  }

  @Test("of the parts of one element without identity meet in it") func parts() {
    let base: JSON.Value = [["x": 1, "y": 1, "z": 1], ["x": 2, "y": 2, "z": 2]]
    let ours: JSON.Value = [["x": 1, "y": 1, "z": 9], ["x": 2, "y": 2, "z": 2]]
    let theirs: JSON.Value = [["x": 8, "y": 1, "z": 1], ["x": 2, "y": 2, "z": 7]]
    let result = merge(base, ours, theirs)
    #expect(result.value == [["x": 8, "y": 1, "z": 9], ["x": 2, "y": 2, "z": 7]])
    #expect(result.conflicts == [])
    // A size is changed in its place.
    #expect(merge([100, 200], [150, 200], [100, 250]).value == [150, 250])
    #expect(merge([100, 200], [150, 200], [170, 200]).conflicts.map(\.path) == [[.index(0)]])
  }

  @Test("that both add something at the end keep both") func bothAdd() {
    let result = merge(["a"], ["a", "b"], ["a", "c"])
    #expect(result.value == ["a", "c", "b"])
    #expect(merge(["a"], ["a", "b", "d"], ["a", "b", "c"]).value == ["a", "b", "c", "d"])
  }

  @Test("that move and change an element do both") func movedAndChanged() {
    let base: JSON.Value = [["id": 1, "v": 0], ["id": 2, "v": 0], ["id": 3, "v": 0]]
    let ours: JSON.Value = [["id": 2, "v": 0], ["id": 3, "v": 0], ["id": 1, "v": 0]]
    let theirs: JSON.Value = [["id": 1, "v": 5], ["id": 2, "v": 0], ["id": 3, "v": 6]]
    for (one, other) in [(ours, theirs), (theirs, ours)] {
      let result = merge(base, one, other)
      #expect(result.value == [["id": 2, "v": 0], ["id": 3, "v": 6], ["id": 1, "v": 5]])
      #expect(result.conflicts == [])
    }
  }

  @Test("to other cases of an enumeration are never mixed") func enumeration() {
    let result = merge(
      ["shape": ["circle": ["r": 1]]], ["shape": ["square": ["a": 1]]],
      ["shape": ["oval": ["r": 2]]])
    #expect(result.value == ["shape": ["square": ["a": 1]]])
    #expect(result.conflicts.map(\.path) == [[.key("shape")]])
    let theirs = merge(
      ["shape": ["circle": ["r": 1]]], ["shape": ["circle": ["r": 1]]],
      ["shape": ["oval": ["r": 2]]])
    #expect(theirs.value == ["shape": ["oval": ["r": 2]]])
    // The first keys of a dictionary are both new.
    #expect(merge(["of": [:]], ["of": ["a": 1]], ["of": ["b": 2]]).value["of"] == ["a": 1, "b": 2])
  }

  @Test("leave numbers exact, as they are written in theirs") func numbers() {
    let big = JSON.Value.number(JSON.Number("123456789012345678901234567890.10")!)
    let written = JSON.Value.number(JSON.Number("1.0")!)
    let result = merge(
      ["n": 1, "t": "a"], ["n": 1, "t": "b"], ["n": written, "big": big, "t": "a"])
    #expect(result.conflicts == [])
    #expect(
      "\(result.value)" == #"{"n":1.0,"big":123456789012345678901234567890.10,"t":"b"}"#)
  }

  @Test("see an accent that is composed differently as a change") func composition() {
    let result = merge(["n": "é"], ["n": "e\u{301}"], ["n": "é", "m": 1])
    guard case .string(let text)? = result.value["n"] else { return #expect(Bool(false)) }
    #expect(Array(text.unicodeScalars) == ["e", "\u{301}"])
  }

  @Test("of 10,000 elements are merged, with identities and without", arguments: [true, false])
  func large(_ hasIDs: Bool) {
    func element(_ number: Int, _ text: String) -> JSON.Value {
      var object: JSON.Object = ["t": .string(text), "n": .number(JSON.Number(number)), "k": 1]
      if hasIDs { object["id"] = .number(JSON.Number(number)) }
      return .object(object)
    }
    let base = (0..<10_000).map { element($0, "a") }
    // Ours changes one in three and reverses a part, theirs changes the next ones and adds.
    var ours = (0..<10_000).map { element($0, $0 % 3 == 0 ? "b" : "a") }
    ours[9000...].reverse()
    var theirs = (0..<10_000).map { element($0, $0 % 3 == 1 ? "c" : "a") }
    theirs.insert(contentsOf: (20_000..<20_100).map { element($0, "d") }, at: 5000)
    let result = merge(.array(base), .array(ours), .array(theirs))
    #expect(result.conflicts == [])
    guard case .array(let merged) = result.value else { return #expect(Bool(false)) }
    var expected = Set((0..<10_000).map { element($0, ["b", "c", "a"][$0 % 3]) })
    expected.formUnion((20_000..<20_100).map { element($0, "d") })
    #expect(merged.count == 10_100)
    #expect(Set(merged) == expected)
  }

  @Test("find the one of 10,000 elements that is left, without identities") func oneLeft() {
    func element(_ number: Int, _ left: String, _ right: String) -> JSON.Value {
      ["n": .number(JSON.Number(number)), "left": .string(left), "right": .string(right), "k": 1]
    }
    let base = (0..<10_000).map { element($0, "a", "a") }
    var theirs = base
    theirs[7000] = element(7000, "a", "theirs")
    let ours = [element(7000, "ours", "a")]
    let result = merge(.array(base), .array(ours), .array(theirs))
    #expect(result.value == [element(7000, "ours", "theirs")])
    #expect(result.conflicts == [])
    // The same the other way about: all but one are new.
    let added = merge(.array(ours), .array(base), [element(7000, "ours", "theirs")])
    #expect(added.value[7000] == element(7000, "a", "theirs"))
    #expect(added.conflicts == [])
  }

  @Test("of 10,000 elements with unknown members and kinds keep all of these") func largeUnknown() {
    let file: [JSON.Value] = (0..<10_000).map { number in
      number % 100 == 7
        ? ["kind": "video", "n": .number(JSON.Number(number))]
        : ["kind": "text", "n": .number(JSON.Number(number)), "x": .number(JSON.Number(-number))]
    }
    var known: [JSON.Value] = []
    for case .object(var element) in file where element["kind"] == "text" {
      element["x"] = nil
      known.append(.object(element))
    }
    var ours = known
    ours[5000] = ["kind": "text", "n": 5]
    ours.append(["kind": "text", "n": "new"])
    let saved = ThreeWayMerge.keepingUnknown(
      known: .array(known), ours: .array(ours), file: .array(file))
    guard case .array(let merged) = saved else { return #expect(Bool(false)) }
    #expect(merged.count == 10_001)
    #expect(merged.filter { $0["kind"] == "video" } == file.filter { $0["kind"] == "video" })
    #expect(merged.filter { $0["x"] != nil }.count >= 9899)
    let seen = merged.compactMap { element -> JSON.Value? in
      guard case .object(var object) = element, object["kind"] == "text" else { return nil }
      object["x"] = nil
      return .object(object)
    }
    #expect(seen == ours)
  }
}
