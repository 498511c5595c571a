import Testing

@testable import Cards
@testable import Stage

@Suite("The list of cards")
@MainActor
struct CardListTests {
  private func player(_ names: [String], on stage: Stagehand? = nil) async throws -> CardPlayer {
    let player = try await CardPlayer(try stage ?? Stagehand())
    for (index, name) in names.enumerated() {
      let id = player.store.addCard()
      player.store.edit(id, saving: .now) { card in
        card.created = Date(timeIntervalSince1970: Double(index))
        card.name = name
      }
    }
    return player
  }

  private func titles(_ ids: [UUID], _ store: CardStore) -> [String] {
    ids.compactMap { store.card($0)?.title }
  }

  @Test("It finds the cards that have all words, in any case, also in their texts")
  func search() async throws {
    let player = try await player(["Summer party", "Winter", "party in Winter"])
    let store = player.store
    #expect(
      titles(store.ids(with: "PARTY", in: .oldest), store) == ["Summer party", "party in Winter"])
    #expect(titles(store.ids(with: " win par", in: .oldest), store) == ["party in Winter"])
    store.edit(store.ids[1], saving: .now) { card in
      var text = TextElement()
      text.text = "Snow"
      card.elements.append(text)
    }
    #expect(titles(store.ids(with: "snow", in: .oldest), store) == ["Winter"])
    #expect(store.ids(with: "nothing", in: .oldest).isEmpty)
  }

  @Test(
    "It begins with the oldest, the newest or the first name, numbers in the order of their values")
  func order() async throws {
    let player = try await player(["Card 10", "card 9", "A card"])
    let store = player.store
    #expect(titles(store.ids(with: "", in: .oldest), store) == ["Card 10", "card 9", "A card"])
    #expect(titles(store.ids(with: "", in: .newest), store) == ["A card", "card 9", "Card 10"])
    #expect(titles(store.ids(with: "", in: .title), store) == ["A card", "card 9", "Card 10"])
  }

  @Test("It makes the tiles near those in view, and others when they come into view")
  func range() async throws {
    let player = try await player((0..<200).map { "Card \($0)" })
    func tiles() -> [String] {
      player.window.all { $0.attributes["aria-label"]?.hasPrefix("Open Card") == true }
        .compactMap { $0.attributes["aria-label"] }
    }
    #expect(tiles() == (0..<16).map { "Open Card \($0)" })
    let grid = try #require(player.window.all { $0.attributes["data-count"] == "200" }.first)
    player.window.send(.range, to: grid, numbers: [90, 10])
    #expect(tiles() == (90..<100).map { "Open Card \($0)" })
    player.window.send(.range, to: grid, numbers: [190, 710])
    #expect(tiles() == (190..<200).map { "Open Card \($0)" })
  }

  @Test(
    "A picture that the page has drawn stands for a card until the card changes, also in the next run"
  )
  func thumbnails() async throws {
    let player = try await player(["One"])
    func faces(_ player: CardPlayer) -> [PageElement] {
      player.window.all { $0.attributes["data-draw"] != nil }
    }
    func photos(_ player: CardPlayer) -> [PageElement] {
      player.window.all { $0.attributes["class"] == "photo" }
    }
    let face = try #require(faces(player).first)
    try await player.window.upload(CardPlayer.picture, to: face)
    #expect(faces(player).isEmpty && photos(player).count == 1)

    let next = try await CardPlayer(try Stagehand(after: player.stage))
    #expect(faces(next).isEmpty && photos(next).count == 1)
    next.store.edit(next.store.ids[0], saving: .now) { $0.backgroundColor = Palette.ink }
    #expect(faces(next).count == 1 && photos(next).isEmpty)
    // The new picture takes the place of the old one.
    let changed = try #require(faces(next).first)
    try await next.window.upload(CardPlayer.picture, to: changed)
    let directory = player.stage.container.caches.appending("thumbnails").string
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
  }
}
