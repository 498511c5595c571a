import Testing

@testable import KeepsakeCoding

@Suite("P8: what a version does not know survives its saves") struct UnknownTests {
  /// What an older version sees of a file: nothing that begins with an x.
  private func known(_ value: JSON.Value) -> JSON.Value {
    switch value {
    case .object(let object):
      var result = JSON.Object()
      for (key, member) in object where !key.hasPrefix("x") { result[key] = known(member) }
      return .object(result)
    case .array(let array): return .array(array.filter { !isUnknown($0) }.map(known))
    default: return value
    }
  }

  private func isUnknown(_ element: JSON.Value) -> Bool {
    guard case .string(let kind)? = element["kind"] else { return false }
    return kind.hasPrefix("x")
  }

  private func unknownElements(_ card: JSON.Value) -> [JSON.Value] {
    guard case .array(let elements)? = card["elements"] else { return [] }
    return elements.filter(isUnknown)
  }

  private func element(_ random: inout RandomJSON, hasID: Bool) -> JSON.Value {
    var element: JSON.Object = [
      "kind": .string(["text", "image", "x-video"][random.number(0..<3)]),
      "size": [.number(JSON.Number(random.number(0..<9))), 2],
    ]
    element["text"] = .string(random.newText())
    if hasID { element["id"] = .string(random.newText()) }
    if random.number(0..<2) == 0 { element["x-shadow"] = ["r": .string(random.newText())] }
    if random.number(0..<2) == 0 { element["style"] = ["bold": true, "x-font": "Mono"] }
    return .object(element)
  }

  private func card(_ random: inout RandomJSON, hasIDs: Bool) -> JSON.Value {
    let elements = (0..<random.number(0..<9)).map { _ in element(&random, hasID: hasIDs) }
    return ["title": "Card", "elements": .array(elements), "x-theme": ["dark": 1.0]]
  }

  /// What the older version does with what it sees.
  private func edited(_ card: JSON.Value, _ random: inout RandomJSON, hasIDs: Bool) -> JSON.Value {
    guard case .object(var card) = card, case .array(var elements)? = card["elements"] else {
      return card
    }
    card["title"] = .string(random.newText())
    for _ in 0..<random.number(0..<4) {
      let place = random.number(0..<elements.count + 1)
      switch random.number(0..<4) {
      case 0: elements.insert(known(element(&random, hasID: hasIDs)), at: place)
      case 1 where place < elements.count: elements.remove(at: place)
      case 2 where place < elements.count:
        let element = elements.remove(at: place)
        elements.insert(element, at: random.number(0..<elements.count + 1))
      case _ where place < elements.count:
        guard case .object(var element) = elements[place] else { break }
        element["text"] = .string(random.newText())
        elements[place] = .object(element)
      default: break
      }
    }
    card["elements"] = .array(elements.filter { !isUnknown($0) })
    return .object(card)
  }

  @Test("the older version reads what it saved, and all else is there", arguments: [true, false])
  func cards(_ hasIDs: Bool) {
    for seed in UInt64(0)..<2000 {
      var random = RandomJSON(seed: seed)
      let file = card(&random, hasIDs: hasIDs)
      let loaded = known(file)
      let ours = edited(loaded, &random, hasIDs: hasIDs)
      let saved = ThreeWayMerge.keepingUnknown(known: loaded, ours: ours, file: file)
      let isRead = known(saved).isSame(as: ours)
      #expect(isRead, "seed \(seed): \(file) | \(ours) gives \(saved)")
      #expect(unknownElements(saved) == unknownElements(file), "seed \(seed)")
      #expect(saved["x-theme"] == file["x-theme"])
      if !hasIDs { continue }
      for before in elements(file) {
        guard let after = elements(saved).first(where: { $0["id"] == before["id"] }) else {
          continue
        }
        #expect(after["x-shadow"] == before["x-shadow"], "seed \(seed)")
        #expect(after["style"] == before["style"], "seed \(seed)")
      }
    }
  }

  private func elements(_ card: JSON.Value) -> [JSON.Value] {
    guard case .array(let elements)? = card["elements"] else { return [] }
    return elements
  }

  @Test("an unchanged document leaves its file unchanged, to the digit") func unchanged() {
    for seed in UInt64(0)..<1000 {
      var random = RandomJSON(seed: seed)
      let file = random.rewritten(card(&random, hasIDs: seed % 2 == 0))
      let loaded = random.rewritten(known(file))
      let saved = ThreeWayMerge.keepingUnknown(known: loaded, ours: loaded, file: file)
      #expect(saved.isSame(as: file, inText: true), "seed \(seed)")
    }
  }

  private func keep(_ known: JSON.Value, _ ours: JSON.Value, _ file: JSON.Value) -> JSON.Value {
    ThreeWayMerge.keepingUnknown(known: known, ours: ours, file: file)
  }

  @Test("unknown elements keep their neighbours") func neighbours() {
    let file: JSON.Value = [["id": 1], ["kind": "video"], ["id": 2], ["kind": "sound"], ["id": 3]]
    let known: JSON.Value = [["id": 1], ["id": 2], ["id": 3]]
    #expect(
      keep(known, [["id": 1], ["id": 2], ["id": 3], ["id": 4]], file) == [
        ["id": 1], ["kind": "video"], ["id": 2], ["kind": "sound"], ["id": 3], ["id": 4],
      ])
    #expect(
      keep(known, [["id": 1], ["id": 9], ["id": 3]], file) == [
        ["id": 1], ["id": 9], ["kind": "video"], ["kind": "sound"], ["id": 3],
      ])
    // The first is brought to the front, which is the end.
    #expect(
      keep(known, [["id": 2], ["id": 3], ["id": 1]], file) == [
        ["kind": "video"], ["id": 2], ["kind": "sound"], ["id": 3], ["id": 1],
      ])
    #expect(keep(known, [], file) == [["kind": "video"], ["kind": "sound"]])
  }

  @Test("an element that is added last stays last, above unknown ones") func addedLast() {
    let file: JSON.Value = [["id": 1], ["kind": "video"]]
    #expect(
      keep([["id": 1]], [["id": 1], ["id": 2]], file) == [
        ["id": 1], ["kind": "video"], ["id": 2],
      ])
    #expect(keep([], [["id": 2]], [["kind": "video"]]) == [["kind": "video"], ["id": 2]])
  }

  @Test("what is removed or replaced goes with all that was unknown of it") func removed() {
    let file: JSON.Value = [
      "frame": ["shape": "oval", "glow": 3], "list": [["id": 1, "new": true]],
    ]
    let known: JSON.Value = ["frame": ["shape": "oval"], "list": [["id": 1]]]
    #expect(keep(known, ["list": []], file) == ["list": []])
    #expect(keep(known, ["frame": "none", "list": []], file) == ["frame": "none", "list": []])
  }

  @Test("a value that only a newer version understands stays until another is chosen")
  func unknownCase() {
    let file: JSON.Value = ["frame": 99, "shape": ["blob": ["points": 5]]]
    #expect(keep([:], [:], file) == file)
    #expect(
      keep([:], ["frame": 2, "shape": ["circle": [:]]], file) == [
        "frame": 2, "shape": ["circle": [:]],
      ])
  }

  @Test("a case of an enumeration keeps its unknown members, and goes with them") func payload() {
    let known: JSON.Value = ["shape": ["circle": ["r": 1]]]
    let file: JSON.Value = ["shape": ["circle": ["r": 1, "dash": 4]]]
    #expect(
      keep(known, ["shape": ["circle": ["r": 2]]], file) == [
        "shape": ["circle": ["r": 2, "dash": 4]]
      ])
    #expect(
      keep(known, ["shape": ["square": ["a": 2]]], file) == ["shape": ["square": ["a": 2]]])
  }

  @Test("a key that the file left to its default stays out until it is changed") func defaults() {
    #expect(keep(["a": 1, "b": 0], ["a": 1, "b": 0], ["a": 1]) == ["a": 1])
    #expect(keep(["a": 1, "b": 0], ["a": 2, "b": 3], ["a": 1]) == ["a": 2, "b": 3])
  }
}
