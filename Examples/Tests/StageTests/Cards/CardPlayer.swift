import SystemPackage
import Testing

@testable import Cards
@testable import Stage

/// A window on the cards of a directory.
@MainActor
struct CardPlayer {
  static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

  let stage: Stagehand
  let store: CardStore
  let window: Stagehand.Window

  private init(stage: Stagehand, store: CardStore, window: Stagehand.Window) {
    (self.stage, self.store, self.window) = (stage, store, window)
  }

  /// Opens a window on the cards of a disk; a session is given to show one of the last run again.
  init(_ stage: Stagehand, session: SceneSession? = nil) async throws {
    self.stage = stage
    // What is saved is saved because it was asked for, not because time went by.
    let store = try CardStore(
      in: stage.container, autosaveDelay: .seconds(600), configuration: .bundled())
    let deadline = ContinuousClock.now + .seconds(20)
    while !store.isLoaded, .now < deadline { try await Task.sleep(for: .milliseconds(2)) }
    self.store = store
    window = try stage.open(CardsView().environmentObject(store), session: session)
  }

  func addText(_ text: String) throws {
    try window.tap("Text")
    try write(text)
    try window.tap("Add")
  }

  /// Writes into the field of the sheet.
  func write(_ text: String) throws {
    let field = try #require(
      window.all { $0.attributes["type"] == "text" || $0.tag == "textarea" }.first)
    window.send(.input, to: field, value: text)
  }

  func addImage(
    _ bytes: [UInt8] = picture, at location: CGPoint? = nil, id: UUID = UUID()
  ) async throws {
    let field = try #require(window.all { $0.attributes["data-upload"] != nil }.first)
    let place = location.map { "&x=\($0.x)&y=\($0.y)" } ?? ""
    try await window.upload(bytes, "width=30&height=20" + place, id: id, to: field)
  }

  func element(_ label: String) throws -> PageElement {
    try #require(window.all { $0.attributes["aria-label"] == label }.first)
  }

  func move(_ label: String, to numbers: [Double], isFirst: Bool = true) throws {
    window.send(.place, to: try element(label), numbers: numbers, isFirst: isFirst)
  }

  /// The cards of the directory, as the next run would read them.
  var kept: [Card] {
    get throws {
      try names(".rwcard").map { name in
        let path = stage.container.documents.appending(name).string
        return try JSON.Decoder().decode(Card.self, from: Data(contentsOf: URL(filePath: path)))
      }
    }
  }

  func names(_ suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: stage.container.documents.string)
      .filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
  }

  /// The elements of the first card, as its file has them once it is saved.
  var elements: [any CardElement] {
    get throws {
      store.ids.forEach(store.save)
      return try #require(kept.first).elements
    }
  }

  /// Another window of the same app on the same cards.
  func otherWindow() throws -> CardPlayer {
    CardPlayer(
      stage: stage, store: store, window: try stage.open(CardsView().environmentObject(store)))
  }
}

@MainActor
func eventually(_ isTrue: () throws -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(20)
  while try !isTrue(), .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
  #expect(try isTrue())
}
