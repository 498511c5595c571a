import Keepsake

/// One way to load all cards, from nothing.
enum CardLoader: String, CaseIterable {
  case keepsake, foundation, parallel, database

  var title: String {
    switch self {
    case .keepsake: "Keepsake"
    case .foundation: "Foundation"
    case .parallel: "Foundation, all processors"
    case .database: "GRDB"
    }
  }

  func load(_ name: String, in workspace: Workspace) async throws -> [SampleCard] {
    let directory = DocumentFixture.directory(name, in: workspace)
    switch self {
    case .keepsake:
      var cards: [SampleCard] = []
      for await element in try DocumentFixture.store(name, in: workspace).loadAll() {
        cards.append(try element.result.get())
      }
      return cards
    case .foundation: return try FoundationCards(directory: directory).all()
    case .parallel: return try FoundationCards(directory: directory).allInParallel()
    case .database: return try CardDatabase(path: "\(directory).sqlite").all()
    }
  }
}
