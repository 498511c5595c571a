import SystemPackage
import Testing

@testable import Cards
@testable import Stage

@Suite("Cards are saved when they should be")
@MainActor
struct CardStoreTests {
  @Test("A new card, a text, an image and what is removed are in the file at once")
  func structure() async throws {
    let player = try await CardPlayer(try Stagehand())
    try player.window.tap("Add a card")
    #expect(try player.kept.count == 1)
    try player.addText("Hello")
    #expect(try (player.kept[0].elements.first as? TextElement)?.text == "Hello")
    try await player.addImage()
    let image = try #require(player.kept[0].elements.last as? ImageElement)
    #expect(try player.names(".png") == [#require(image.imageFilename)])
    #expect(image.transform.size.width / image.transform.size.height == 1.5)
    let selected = try player.element("Text Hello")
    player.window.send(.delete, to: selected)
    #expect(try player.kept[0].elements.map(\.id) == [image.id])
    try player.window.tap("Undo")
    #expect(try player.kept[0].elements.count == 2)
    #expect(try player.kept[0].elements.last?.id == image.id, "The text is below again.")
  }

  @Test("An empty text is not added")
  func emptyText() async throws {
    let player = try await CardPlayer(try Stagehand())
    try player.window.tap("Add a card")
    try player.addText("  ")
    #expect(try player.kept[0].elements.isEmpty)
  }

  @Test("A move is saved when the window turns inactive, and at Done")
  func moves() async throws {
    let player = try await CardPlayer(try Stagehand())
    player.window.enter(.active)
    try player.window.tap("Add a card")
    try player.addText("Hello")
    try player.move("Text Hello", to: [100, 50, 1, 2, 3])
    player.window.enter(.inactive)
    #expect(try player.kept[0].elements[0].transform.offset == CGSize(width: 1, height: 2))
    player.window.enter(.active)
    try player.move("Text Hello", to: [100, 50, 4, 5, 6])
    try player.window.tap("Done")
    #expect(try player.kept[0].elements[0].transform.rotation == .degrees(6))
  }

  @Test("A card that is removed is gone, its image stays, and Undo brings the card back")
  func removal() async throws {
    let player = try await CardPlayer(try Stagehand())
    try player.window.tap("Add a card")
    try await player.addImage()
    try player.window.tap("Done")
    try player.window.tap("Remove Card with an image")
    #expect(try player.names(".rwcard").isEmpty && player.names(".png").count == 1)
    #expect(player.window.texts.contains("No cards yet"))
    try player.window.tap("Undo")
    #expect(try player.names(".rwcard").count == 1 && player.names(".png").count == 1)
    #expect(player.store.ids.count == 1)
    try player.window.tap("Open Card with an image")
  }

  @Test("Undo brings the removed cards back, the last one first, and the next run has the trash")
  func removals() async throws {
    let stage = try Stagehand()
    let player = try await CardPlayer(stage)
    for name in ["One", "Two", "Three"] {
      try player.window.tap("Add a card")
      try player.addText(name)
      try player.window.tap("Done")
    }
    func titles(_ player: CardPlayer) -> Set<String> {
      Set(player.store.ids.compactMap { player.store.card($0)?.title })
    }
    let start = Date()
    for name in ["Two", "One", "Three"] { try player.window.tap("Remove \(name)") }
    #expect(player.store.removed.allSatisfy { $0.date >= start && $0.date <= Date() })
    try player.window.tap("Undo")
    #expect(titles(player) == ["Three"])
    try player.window.tap("Undo")
    #expect(titles(player) == ["One", "Three"])
    #expect(player.window.texts.contains("“Two” was removed."))
    try player.window.tap("Remove Three")

    let next = try await CardPlayer(try Stagehand(after: stage))
    try await eventually { next.store.removed.map(\.title) == ["Two", "Three"] }
    #expect(next.store.removed.allSatisfy { abs($0.date.timeIntervalSince(start)) < 60 })
    #expect(!next.window.texts.contains("Undo"))
    try next.window.tap("Bring Two back")
    #expect(titles(next) == ["One", "Two"] && next.store.removed.map(\.title) == ["Three"])
    #expect(try next.names(".rwcard").count == 2)
    // Another program lists it, too, and no longer as removed.
    try await eventually { player.store.removed.map(\.title) == ["Three"] }
  }

  @Test("The next run has the cards in the order in which they were made")
  func nextRun() async throws {
    let stage = try Stagehand()
    let player = try await CardPlayer(stage)
    for index in 0..<4 {
      try player.window.tap("Add a card")
      try player.addText("Card \(index)")
      player.store.edit(player.store.ids[index], saving: .now) {
        $0.created = Date(timeIntervalSince1970: Double(index))
      }
      try player.window.tap("Done")
    }
    let next = try await CardPlayer(try Stagehand(after: stage))
    #expect(next.store.ids == player.store.ids)
    try next.window.tap("Open Card 2")
    #expect(try next.element("Text Card 2").attributes["data-movable"] != nil)
  }

  @Test("A window comes back with its card open")
  func scene() async throws {
    let stage = try Stagehand()
    let player = try await CardPlayer(stage)
    try player.window.tap("Add a card")
    try player.addText("Open me")
    let nextRun = try Stagehand(after: stage)
    let store = try CardStore(in: stage.container, configuration: .bundled())
    let window = try nextRun.open(
      CardsView().environmentObject(store), session: nextRun.sessions.sessions[0])
    #expect(window.texts.contains("Done"))
  }

  @Test("A card that cannot be read is quarantined and reported, and the others are there")
  func broken() async throws {
    let stage = try Stagehand()
    let (card, broken) = (Card(), UUID().uuidString)
    let directory = URL(filePath: stage.container.documents.string)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try JSONEncoder().encode(card).write(to: directory.appending(path: "\(card.id).rwcard"))
    try Data("{\"id\":".utf8).write(to: directory.appending(path: "\(broken).rwcard"))
    let next = try await CardPlayer(stage)
    #expect(next.store.ids == [card.id])
    #expect(next.store.problem?.details?.contains(broken) == true)
    #expect(next.store.problem?.message.contains("Quarantine") == true)
    #expect(next.window.texts.contains { $0.contains(broken) })
    try next.window.tap("Dismiss")
    #expect(!next.window.texts.contains { $0.contains(broken) })
  }

  @Test("An image that nothing names is removed a day later, and no other file")
  func orphans() async throws {
    let stage = try Stagehand()
    let player = try await CardPlayer(stage)
    try player.window.tap("Add a card")
    try await player.addImage()
    let shown = try player.names(".png")
    let directory = URL(filePath: stage.container.documents.string)
    let (old, young) = ("\(UUID().uuidString).png", "\(UUID().uuidString).png")
    for name in [old, young, "holiday.png"] {
      try Data(CardPlayer.picture).write(to: directory.appending(path: name))
      let age: TimeInterval = name == young ? 0 : 3 * 86_400
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)],
        ofItemAtPath: directory.appending(path: name).path)
    }
    let next = try await CardPlayer(try Stagehand(after: stage))
    try await eventually { try !next.names(".png").contains(old) }
    #expect(try Set(next.names(".png")) == Set(shown + [young, "holiday.png"]))
  }

  @Test("What another program does to the cards is followed")
  func elsewhere() async throws {
    let stage = try Stagehand()
    let (player, other) = (try await CardPlayer(stage), try await CardPlayer(stage))
    try player.window.tap("Add a card")
    try player.addText("Here")
    try await eventually { other.window.texts.contains("Here") }
    try other.window.tap("Open Here")
    try other.addText("There")
    try await eventually { player.window.texts.contains("There") }
    try player.window.tap("Done")
    try player.window.tap("Remove Here There")
    try await eventually { other.window.texts.contains("No cards yet") }
    try player.window.tap("Undo")
    try await eventually { other.store.ids.count == 1 }
  }

  /// A window with an unsaved move on its card, whose file an editor has changed meanwhile.
  private func conflict(_ change: (String) -> String) async throws -> CardPlayer {
    let player = try await CardPlayer(try Stagehand())
    try player.window.tap("Add a card")
    try player.addText("Words")
    let name = try #require(player.names(".rwcard").first)
    let path = player.stage.container.documents.appending(name).string
    try player.move("Text Words", to: [100, 50, 1, 2, 0])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data(change(text).utf8).write(to: URL(filePath: path))
    return player
  }

  @Test("Two changes that go together are both made, and nobody is asked")
  func merge() async throws {
    let player = try await conflict { $0.replacing("Words", with: "Theirs") }
    try await eventually {
      guard let card = try? player.kept.first, let text = card.elements.first as? TextElement
      else { return false }
      return text.text == "Theirs" && text.transform.offset == CGSize(width: 1, height: 2)
    }
    try await eventually { player.window.texts.contains("Theirs") }
    #expect(!player.window.texts.contains("Keep both"))
  }

  @Test("Of two changes that exclude each other the user keeps one, or both")
  func decisions() async throws {
    for (button, offsets) in [
      ("Keep mine", [1.0]), ("Keep theirs", [77]), ("Keep both", [1, 77]),
    ] {
      let player = try await conflict { text in
        // The first number of the offset, which is where the move was made too.
        text.replacing(/("offset"\s*:\s*\[\s*)-?[0-9.]+/) { "\($0.output.1)77" }
      }
      try await eventually { player.window.texts.contains(button) }
      try player.window.tap(button)
      try await eventually {
        try player.kept.map { $0.elements[0].transform.offset.width }.sorted() == offsets
      }
      try await eventually { player.store.ids.count == offsets.count }
      #expect(!player.window.texts.contains(button))
    }
  }

  @Test(
    "The name of an image cannot lead out of the directory", arguments: ["../x", "/etc/passwd", ""])
  func names(name: String) async throws {
    let store = try CardStore(in: try Stagehand().container, configuration: .bundled())
    #expect(throws: (any Error).self) { try store.image(name).bytes() }
    #expect(throws: (any Error).self) { try store.image(nil).bytes() }
  }
}
