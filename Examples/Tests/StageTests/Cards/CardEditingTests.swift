import Testing

@testable import Cards
@testable import Stage

@Suite("Work on a card")
@MainActor
struct CardEditingTests {
  private func player(_ texts: String...) async throws -> CardPlayer {
    let player = try await CardPlayer(try Stagehand())
    try player.window.tap("Add a card")
    for text in texts { try player.addText(text) }
    return player
  }

  /// What undo and redo are to bring back exactly.
  private func text(_ player: CardPlayer) throws -> String {
    let id = try #require(player.store.ids.first)
    player.store.save(id)
    let name = try #require(player.names(".rwcard").first)
    return try String(
      contentsOfFile: player.stage.container.documents.appending(name).string, encoding: .utf8)
  }

  @Test("Every change is undone, one after the other, and made again")
  func undo() async throws {
    let player = try await player()
    var states = [try text(player)]
    func note() throws { states.append(try text(player)) }
    try player.addText("One")
    try note()
    try await player.addImage()
    try note()
    try player.move("Image 1", to: [300, 200, 10, 20, 30])
    try note()
    try player.window.tap(player.element("Image 1"))
    try player.window.tap("Send backward")
    try note()
    try player.window.tap("Frame")
    try player.window.tap("Heart")
    try note()
    try player.window.tap(player.element("Text One"))
    try player.window.tap("Edit")
    try player.write("Two")
    try player.window.tap("Coral")
    try player.window.tap("Change")
    try note()
    try player.window.tap("Remove")
    try note()
    try player.window.tap("Background")
    try player.window.tap("Slate")
    try player.window.tap("White")
    try note()
    #expect(Set(states).count == states.count)
    for state in states.dropLast().reversed() {
      try player.window.tap("Undo")
      #expect(try text(player) == state)
    }
    #expect(try player.element("Undo").attributes["disabled"] != nil)
    for state in states.dropFirst() {
      try player.window.tap("Redo")
      #expect(try text(player) == state)
    }
    #expect(try player.element("Redo").attributes["disabled"] != nil)
  }

  @Test("A movement is one step, however many placements it is told in, and the next is another")
  func movements() async throws {
    let player = try await player("A")
    let start = try player.elements[0].transform
    try player.move("Text A", to: [100, 50, 1, 0, 0])
    for x in 2...9 { try player.move("Text A", to: [100, 50, Double(x), 0, 0], isFirst: false) }
    try player.move("Text A", to: [100, 50, 20, 0, 0])
    try player.window.tap("Undo")
    #expect(try player.elements[0].transform.offset.width == 9)
    try player.window.tap("Undo")
    #expect(try player.elements[0].transform == start)
    try player.window.tap("Redo")
    #expect(try player.elements[0].transform.offset.width == 9)
    // A new step takes the place of those that were undone.
    try player.move("Text A", to: [100, 50, 5, 5, 0])
    #expect(try player.element("Redo").attributes["disabled"] != nil)
  }

  @Test("Two windows undo what each has done, and leave alone what the other has")
  func windows() async throws {
    let player = try await player("A", "B")
    let other = try player.otherWindow()
    try other.window.tap("Open A B")
    let (a, b) = (try player.elements[0].transform, try player.elements[1].transform)
    #expect(try other.element("Undo").attributes["disabled"] != nil)
    try player.move("Text A", to: [100, 50, 1, 0, 0])
    try other.move("Text B", to: [100, 50, 2, 0, 0])
    try player.window.tap("Undo")
    #expect(try player.elements[0].transform == a)
    #expect(try player.elements[1].transform.offset.width == 2)
    try other.window.tap("Undo")
    #expect(try player.elements[1].transform == b)
  }

  @Test("A step whose element another window has removed is left out, and the window says so")
  func leftOut() async throws {
    let player = try await player("A", "B")
    let other = try player.otherWindow()
    try other.window.tap("Open A B")
    try player.move("Text A", to: [100, 50, 1, 0, 0])
    try player.move("Text B", to: [100, 50, 2, 0, 0])
    try other.window.tap(other.element("Text B"))
    player.window.tap(
      try #require(player.window.all { $0.attributes["class"] == "surface" }.first))
    try other.window.tap("Remove")
    try player.window.tap("Undo")
    #expect(player.window.texts.contains { $0.contains("left out") })
    #expect(try player.elements[0].transform.offset.width != 1)
  }

  @Test("Undo and redo leave what another window has changed since, and the window says so")
  func changedSince() async throws {
    let player = try await player("A")
    let other = try player.otherWindow()
    try other.window.tap("Open A")
    func offset() throws -> Double { try player.elements[0].transform.offset.width }
    func isSaid() -> Bool { player.window.texts.contains { $0.contains("left as it is") } }
    try player.move("Text A", to: [100, 50, 1, 0, 0])
    try player.move("Text A", to: [100, 50, 2, 0, 0], isFirst: false)
    try other.move("Text A", to: [100, 50, 3, 0, 0])
    try player.window.tap("Undo")
    #expect(try offset() == 3 && isSaid())
    // The other's own step is undone, and so is what nobody else has changed.
    try other.window.tap("Undo")
    #expect(try offset() == 2)
    try player.move("Text A", to: [100, 50, 4, 0, 0])
    try player.window.tap("Undo")
    #expect(try offset() == 2 && !isSaid())
    try other.move("Text A", to: [100, 50, 5, 0, 0])
    try player.window.tap("Redo")
    #expect(try offset() == 5 && isSaid())

    // Of a step with two properties the one that is left can still be undone.
    player.window.send(.edit, to: try player.element("Text A"))
    try player.write("Mine")
    try player.window.tap("Coral")
    try player.window.tap("Change")
    other.window.send(.edit, to: try other.element("Text Mine"))
    try other.write("Theirs")
    try other.window.tap("Change")
    try player.window.tap("Undo")
    let text = try #require(try player.elements[0] as? TextElement)
    #expect(text.text == "Theirs" && text.textColor == TextElement().textColor && isSaid())
  }

  @Test("Undo leaves a name that another window has given a card since")
  func renamedSince() async throws {
    let player = try await player("Words")
    let other = try player.otherWindow()
    try other.window.tap("Open Words")
    func name(_ player: CardPlayer, _ name: String, from old: String) throws {
      try player.window.tap(old)
      try player.write(name)
      player.window.tap(
        try #require(player.window.all { $0.says("Done") }.last { $0.tag == "button" }))
    }
    try name(player, "Mine", from: "Words")
    try name(other, "Theirs", from: "Mine")
    try player.window.tap("Undo")
    #expect(try player.kept[0].name == "Theirs")
    #expect(player.window.texts.contains { $0.contains("left as it is") })
    // Nothing else was undone in its place.
    #expect(try player.elements.count == 1)
    try player.window.tap("Undo")
    #expect(try player.elements.isEmpty && player.kept[0].name == "Theirs")
  }

  @Test("A step of a version that did not keep what it replaces is undone")
  func olderSteps() throws {
    let json = #"[{"set":{"properties":{"name":"Old"}}}]"#
    let steps = try JSON.Decoder().decode([CardChange].self, from: Array(json.utf8))
    var card = Card(name: "New")
    let obstacle = card.apply(steps)
    #expect(obstacle == nil && card.name == "Old")
  }

  @Test("The steps are there after a restart, and not those of another card")
  func restart() async throws {
    let player = try await player("A")
    try player.move("Text A", to: [100, 50, 1, 0, 0])
    player.window.enter(.active)
    player.window.enter(.inactive)
    let next = try Stagehand(after: player.stage)
    let again = try await CardPlayer(next, session: next.sessions.sessions[0])
    try again.window.tap("Undo")
    #expect(try again.elements[0].transform.offset.width != 1)
    try again.window.tap("Undo")
    #expect(try again.elements.isEmpty)
    try again.window.tap("Redo")
    try again.window.tap("Done")
    try again.window.tap("Add a card")
    #expect(try again.element("Undo").attributes["disabled"] != nil)
  }

  @Test("What is chosen, and an open sheet with its draft, are there after a restart")
  func editingState() async throws {
    let player = try await player("A", "B")
    try player.window.tap(player.element("Text A"))
    try player.window.tap("Edit")
    try player.window.tap("Coral")
    player.window.enter(.active)
    player.window.enter(.inactive)
    let next = try Stagehand(after: player.stage)
    let again = try await CardPlayer(next, session: next.sessions.sessions[0])
    try again.window.tap("Change")
    let texts = try again.elements.compactMap { $0 as? TextElement }
    #expect(texts.map(\.textColor) == [Palette.entries[1].color, Palette.ink])
    #expect(try again.element("Text A").attributes["data-selected"] != nil)
    // Not on another card that has the same elements.
    try again.window.tap("A B")
    try again.window.tap("Duplicate")
    #expect(again.window.all { $0.attributes["data-selected"] != nil }.isEmpty)
    #expect(again.window.all { $0.tag == "dialog" }.isEmpty)
    #expect(KeptAsJSON<EditingState>(rawValue: "{") == nil)
  }

  @Test("An image that arrives again after a restart is on the card once, and is undone once")
  func repeatedUploads() async throws {
    let player = try await player()
    let (id, lost) = (UUID(), UUID())
    try await player.addImage(id: id)
    let next = try Stagehand(after: player.stage)
    let again = try await CardPlayer(next, session: next.sessions.sessions[0])
    try await again.addImage(id: id)
    #expect(try again.elements.map(\.id) == [id])
    // The last run ended before it kept the step.
    again.store.edit(again.store.ids[0], saving: .now) {
      $0.elements.append(ImageElement(id: lost))
    }
    try await again.addImage(id: lost)
    #expect(try again.elements.map(\.id) == [id, lost])
    try again.window.tap("Undo")
    try again.window.tap("Undo")
    #expect(try again.element("Undo").attributes["disabled"] != nil)
    // Nor does what was undone come back.
    try await again.addImage(id: id)
    #expect(try again.elements.isEmpty)
  }

  @Test("A history has at most 100 steps and 64 KB, and the newest ones are kept")
  func limits() throws {
    for (count, kept, words) in [(150, 100, "a"), (60, 30, String(repeating: "a", count: 2000))] {
      var history = CardHistory()
      for index in 0..<count {
        let text = TextElement(text: "\(index) \(words)")
        history.record([.addText(text, above: nil)], isContinued: false)
      }
      #expect(history.rawValue.utf8.count <= 64 << 10)
      var steps: [String] = []
      while history.canUndo {
        history.step(isRedo: false) { changes in
          if case .addText(let text, _) = changes[0] { steps.append(text.text) }
          return changes
        }
      }
      #expect(steps.first?.hasPrefix("\(count - 1) ") == true)
      #expect(abs(steps.count - kept) <= (kept == 100 ? 0 : 5))
    }
    #expect(CardHistory(rawValue: "{") == nil)
  }

  @Test("A movement that ends where it began is no step, and takes no redo away")
  func givenUp() {
    let (id, other) = (UUID(), UUID())
    func move(_ from: JSON.Value, _ to: JSON.Value) -> [CardChange] {
      [.set(element: id, properties: ["x": from], replacing: ["x": to])]
    }
    func steps(_ history: CardHistory, isRedo: Bool) -> [CardChange] {
      var (history, steps) = (history, [CardChange]())
      while isRedo ? history.canRedo : history.canUndo {
        history.step(isRedo: isRedo) { changes in
          steps += changes
          return changes
        }
      }
      return steps
    }
    var history = CardHistory()
    history.record(move(0, 1), isContinued: false)
    history.record([.remove(element: other)], isContinued: false)
    history.step(isRedo: false) { $0 }
    history.record(move(1, 2), isContinued: false)
    history.record(move(2, 3), isContinued: true)
    #expect(!history.canRedo)
    history.record(move(3, 1), isContinued: true)
    #expect(history.canRedo && steps(history, isRedo: false).count == 1)
    #expect(steps(history, isRedo: true).map(\.element) == [other])
    // What goes on is a step of its own.
    history.record(move(1, 4), isContinued: true)
    #expect(!history.canRedo && steps(history, isRedo: false).count == 2)
    #expect(CardHistory(rawValue: history.rawValue)?.rawValue == history.rawValue)
  }

  @Test("What is moved, or comes from a file, can be taken hold of again")
  func reach() async throws {
    let player = try await player("A")
    #expect(player.window.all { $0.says("Bring back") && $0.tag == "button" }.isEmpty)
    try player.move("Text A", to: [100, 50, 9999, -9999, 0])
    #expect(try player.elements[0].transform.offset == CGSize(width: 650, height: -1000))
    player.store.edit(try #require(player.store.ids.first), saving: .now) { card in
      card.elements[0].transform.offset.width = -4000
      card.elements[0].transform.size = CGSize(width: -1e300, height: 0)
    }
    try player.window.tap("Bring back")
    let transform = try player.elements[0].transform
    #expect(transform.offset.width == -650 && transform.size == CGSize(width: 20, height: 20))
    #expect(player.window.all { $0.says("Bring back") && $0.tag == "button" }.isEmpty)
  }

  @Test("New elements are selected, and lie on no other as long as there is room")
  func freePlaces() async throws {
    let player = try await player()
    for index in 0..<6 { try player.addText("\(index)") }
    try await player.addImage()
    let elements = try player.elements
    let selected = player.window.all { $0.attributes["data-selected"] != nil }
    #expect(selected.map { $0.attributes["aria-label"] } == ["Image 1"])
    for (index, element) in elements.enumerated() {
      let (size, offset) = (element.transform.size, element.transform.offset)
      #expect(element.transform.reachable == element.transform)
      for other in elements[..<index] where other is TextElement && element is TextElement {
        #expect(
          abs(other.transform.offset.height - offset.height) >= size.height
            || abs(other.transform.offset.width - offset.width) >= size.width)
      }
    }
    for _ in 0..<12 { try await player.addImage() }
    let places = Set(try player.elements.map { "\($0.transform.offset)" })
    #expect(places.count == 19)
  }

  @Test("A picture lands where it was dropped, and not beside the card")
  func drops() async throws {
    let player = try await player()
    try await player.addImage(at: CGPoint(x: 120, y: -340))
    try await player.addImage(at: CGPoint(x: 5000, y: 0))
    #expect(
      try player.elements.map(\.transform.offset)
        == [CGSize(width: 120, height: -340), CGSize(width: 650, height: 0)])
  }

  @Test("A double click, or the return key, edits an element")
  func edit() async throws {
    let player = try await player("A")
    try await player.addImage()
    player.window.send(.edit, to: try player.element("Text A"))
    try player.write("B")
    try player.window.tap("Change")
    player.window.send(.edit, to: try player.element("Image 1"))
    try player.window.tap("Circle")
    #expect(try (player.elements[0] as? TextElement)?.text == "B")
    #expect(try (player.elements[1] as? ImageElement)?.frameIndex == 0)
  }

  @Test("What another window removes while it is edited comes back with the change")
  func removedWhileEdited() async throws {
    let player = try await player("A")
    let other = try player.otherWindow()
    try other.window.tap("Open A")
    player.window.send(.edit, to: try player.element("Text A"))
    try player.write("My words")
    try other.window.tap(other.element("Text A"))
    try other.window.tap("Remove")
    #expect(try player.elements.isEmpty)
    try player.window.tap("Change")
    #expect(try (player.elements[0] as? TextElement)?.text == "My words")
    #expect(player.window.texts.contains { $0.contains("removed in another window") })
  }

  @Test("Of two texts that two windows write at once the later is there, says so, and is undone")
  func changedWhileEdited() async throws {
    let player = try await player("A")
    let other = try player.otherWindow()
    try other.window.tap("Open A")
    func isSaid() -> Bool {
      player.window.texts.contains { $0.contains("changed in another window meanwhile") }
    }
    for window in [player, other] { window.window.send(.edit, to: try window.element("Text A")) }
    try player.write("Mine")
    try other.write("Theirs")
    try other.window.tap("Change")
    try player.window.tap("Change")
    #expect(try (player.elements[0] as? TextElement)?.text == "Mine" && isSaid())
    #expect(!other.window.texts.contains { $0.contains("meanwhile") })
    try player.window.tap("Undo")
    #expect(try (player.elements[0] as? TextElement)?.text == "Theirs" && !isSaid())

    // What only one of them changes is kept, and nothing is said.
    player.window.send(.edit, to: try player.element("Text Theirs"))
    other.window.send(.edit, to: try other.element("Text Theirs"))
    try player.write("Words")
    try other.window.tap("Coral")
    try other.window.tap("Change")
    try player.window.tap("Change")
    let text = try #require(try player.elements[0] as? TextElement)
    #expect(text.text == "Words" && text.textColor != TextElement().textColor && !isSaid())
  }

  @Test("What another window removes while it is selected is reported, and undo brings it back")
  func removedWhileSelected() async throws {
    let player = try await player("A")
    let other = try player.otherWindow()
    try other.window.tap("Open A")
    try player.move("Text A", to: [100, 50, 7, 8, 0])
    try other.window.tap(other.element("Text A"))
    try other.window.tap("Remove")
    #expect(player.window.texts.contains { $0.contains("Text A was removed in another window") })
    try player.window.tap("Undo")
    #expect(try player.elements[0].transform.offset == CGSize(width: 7, height: 8))
    // The other window's own undo then has nothing to bring back.
    try other.window.tap("Undo")
    #expect(try player.elements.count == 1)
  }

  @Test("Each element says to a screen reader what its keys do")
  func keys() async throws {
    let element = try await player("A").element("Text A")
    #expect(element.attributes["aria-describedby"] == "movable-help")
  }

  @Test("A card has a name, which is undone like everything else, and is its title")
  func name() async throws {
    let player = try await player("Words")
    try player.window.tap("Words")
    try player.write("Birthday")
    player.window.tap(
      try #require(player.window.all { $0.says("Done") }.last { $0.tag == "button" }))
    #expect(try player.kept[0].name == "Birthday")
    #expect(player.window.texts.contains("Birthday"))
    try player.window.tap("Undo")
    #expect(try player.kept[0].name == nil && player.kept[0].title == "Words")
  }

  @Test("Of two names that two windows give at once the later is there, says so, and is undone")
  func renamedWhileNamed() async throws {
    let player = try await player("Words")
    let other = try player.otherWindow()
    try other.window.tap("Open Words")
    func finish(_ player: CardPlayer) throws {
      player.window.tap(
        try #require(player.window.all { $0.says("Done") }.last { $0.tag == "button" }))
    }
    func isSaid(_ player: CardPlayer) -> Bool {
      player.window.texts.contains { $0.contains("renamed in another window meanwhile") }
    }
    for window in [player, other] { try window.window.tap("Words") }
    try player.write("Mine")
    try other.write("Theirs")
    try finish(other)
    try finish(player)
    #expect(try player.kept[0].name == "Mine" && isSaid(player) && !isSaid(other))
    try player.window.tap("Undo")
    #expect(try player.kept[0].name == "Theirs" && !isSaid(player))

    // Who has changed nothing takes nothing back.
    for window in [player, other] { try window.window.tap("Theirs") }
    try other.write("Newer")
    try finish(other)
    try finish(player)
    #expect(try player.kept[0].name == "Newer" && !isSaid(player))
  }

  @Test("A copy of a card has the same on it, shows the same image file, and is opened")
  func duplicate() async throws {
    let player = try await player("Words")
    try await player.addImage()
    try player.window.tap("Words")
    try player.window.tap("Duplicate")
    #expect(player.store.ids.count == 2)
    let kept = try player.kept
    #expect(kept[0].elements.map(\.id) == kept[1].elements.map(\.id))
    #expect(try player.names(".png").count == 1)
    try player.move("Text Words", to: [100, 50, 1, 0, 0])
    let offsets = player.store.ids.map { player.store.card($0)?.elements[0].transform.offset.width }
    #expect(offsets[1] == 1 && offsets[0] != 1)
  }

  @Test("A card and its images are one file, of which another app makes the same card")
  func archive() async throws {
    let player = try await player("Words")
    try await player.addImage()
    let id = try #require(player.store.ids.first)
    let bytes = try player.store.archive(of: id, name: "Mine").bytes()
    let other = try await CardPlayer(try Stagehand())
    let copy = try #require(other.store.addArchive(bytes, as: UUID()))
    #expect(other.store.addArchive(bytes, as: copy) == copy && other.store.ids.count == 1)
    let (card, original) = (
      try #require(other.store.card(copy)), try #require(player.store.card(id))
    )
    #expect(card.name == "Mine" && original.name == nil)
    #expect(copy != id && card.elements.map(\.id) == original.elements.map(\.id))
    #expect(card.elements.map(\.transform) == original.elements.map(\.transform))
    let image = try #require(card.elements.last as? ImageElement)
    #expect(try other.store.image(image.imageFilename).bytes() == CardPlayer.picture)
    #expect(try other.names(".png") == [#require(image.imageFilename)])
  }

  @Test("A file that is damaged, or has a damaged image, adds nothing and says what is wrong")
  func damagedArchives() async throws {
    let player = try await player("Words")
    try await player.addImage()
    let id = try #require(player.store.ids.first)
    let bytes = try player.store.archive(of: id, name: nil).bytes()
    var archive = try JSON.Decoder().decode(CardArchive.self, from: bytes)
    archive.images["B.png"] = Data("<svg/>".utf8)
    let other = try await CardPlayer(try Stagehand())
    for (file, words) in [
      (Array(bytes.dropLast(10)), "damaged"), (CardPlayer.picture, "“my.card” is not a card"),
      ([], "not a card"),
      (try JSON.Encoder().encodeToBytes(archive), "“my.card” has an image “B.png” that is damaged"),
    ] {
      #expect(other.store.addArchive(file, named: "my.card") == nil)
      #expect(other.store.problem?.message.contains(words) == true)
      #expect(other.store.ids.isEmpty)
      #expect(try other.names("").isEmpty)
    }
    try other.store.configuration.source.setOverride(0.000_001, for: "LargestImageMegabytes")
    try await eventually { other.store.configuration.largestImageMegabytes < 1 }
    #expect(other.store.addArchive(bytes) == nil)
    #expect(other.store.problem?.message.contains("larger than") == true)
  }

  @Test("An image has a text for those who do not see it, and one for when it is missing")
  func alternatives() async throws {
    let player = try await player()
    try await player.addImage()
    let name = try #require(try (player.elements[0] as? ImageElement)?.imageFilename)
    let image = try #require(player.window.all { $0.tag == "img" }.first)
    #expect(image.attributes["alt"] == "Image 1")
    #expect(image.attributes["data-missing"]?.contains(name) == true)
  }

  @Test("What only a newer version knows of an element comes back with it")
  func newer() throws {
    let json = #"""
      {"id":"\#(UUID())","textElements":[{"id":"\#(UUID())","text":"a","glow":[1,2]}]}
      """#
    let card = try JSON.Decoder().decode(Card.self, from: Array(json.utf8))
    var empty = card
    empty.elements = []
    let step = CardChange.changes(from: empty, to: card)
    let kept = try JSON.Decoder().decode([CardChange].self, from: JSON.Encoder().encode(step))
    let obstacle = empty.apply(kept)
    #expect(obstacle == nil)
    #expect((empty.elements[0] as? TextElement)?.others["glow"] == [1, 2])
  }

  @Test("What only a newer version knows of a card is on its copies, in its file, and stays")
  func newerCards() async throws {
    let player = try await player("Words")
    let name = try #require(player.names(".rwcard").first)
    let path = player.stage.container.documents.appending(name).string
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data(text.replacing(/^{/, with: #"{"stickers": [{"name": "star"}],"#).utf8)
      .write(to: URL(filePath: path))
    let (store, id) = (player.store, try #require(player.store.ids.first))
    let stickers: JSON.Value = [["name": "star"]]
    try await eventually { store.card(id)?.others == ["stickers": stickers] }
    let file = try store.archive(of: id, name: nil).bytes()
    let copies = [store.duplicate(id), store.addArchive(file)]
    try player.window.tap("Undo")
    #expect(copies.count == 2 && !copies.contains(nil))
    #expect(try player.kept.map(\.others["stickers"]) == [stickers, stickers, stickers])
  }
}
