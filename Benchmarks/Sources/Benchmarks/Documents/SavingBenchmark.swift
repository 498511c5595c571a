import Foundation
import Keepsake
import Synchronization

/// One document saved, many saved together, one with images saved again and again.
enum SavingBenchmark: Benchmark {
  static let name = "saving"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    try await saving(options, in: workspace) + savingTogether(options, in: workspace)
      + savingImages(options, in: workspace)
  }

  /// One document, changed and saved, safe against a power cut.
  private static func saving(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let store = try DocumentFixture.store("save", in: workspace)
    let foundation = try FoundationCards(
      directory: DocumentFixture.directory("save-foundation", in: workspace))
    let database = try CardDatabase(path: workspace.path("documents-save.sqlite"))
    let raw = try RawFiles(directory: DocumentFixture.directory("save-raw", in: workspace))
    let kept = try RawFiles(directory: DocumentFixture.directory("save-raw-kept", in: workspace))
    let card = SampleCard.number(0)
    let bytes = [UInt8](try card.text)
    try store.create(card)
    func changed(_ number: Int) -> SampleCard {
      var card = card
      card.title = "Title \(number)"
      return card
    }
    let least = "write + fsync + rename + fsync"
    let floor = "floor: that, with link + unlink of a past version"
    let number = Mutex(0)
    return try await options.rounds.run([
      Contestant(name: "Keepsake") { count in
        try Clock.wall.time(of: count) { try store.save(changed($0)) }
      },
      Contestant(name: "Foundation .atomic + fsync") { count in
        try Clock.wall.time(of: count) { try foundation.save([changed($0)]) }
      },
      Contestant(name: "GRDB FULL") { count in
        try Clock.wall.time(of: count) { try database.save([changed($0)]) }
      },
      Contestant(name: least) { count in
        try Clock.wall.time(of: count) { _ in try raw.replace("card", with: bytes) }
      },
      Contestant(name: floor) { count in
        try Clock.wall.time(of: count) { _ in
          let number = number.withLock { number in
            defer { number += 1 }
            return number
          }
          try kept.replace("card", with: bytes, keepingVersion: number)
        }
      },
    ]).rows(
      "save a document", reference: "Keepsake",
      targets: [Target(name: "Keepsake", limit: .times(1.3, of: floor))])
  }

  /// Five hundred documents, changed and saved together.
  private static func savingTogether(_ options: Options, in workspace: Workspace) async throws
    -> [Row]
  {
    let cards = (0..<500).map { SampleCard.number($0) }
    let store = try DocumentFixture.store("batch", in: workspace)
    let foundation = try FoundationCards(
      directory: DocumentFixture.directory("batch-foundation", in: workspace))
    let database = try CardDatabase(path: workspace.path("documents-batch.sqlite"))
    let raw = try RawFiles(directory: DocumentFixture.directory("batch-raw", in: workspace))
    try store.save(cards)
    let files = try cards.map { (name: $0.id.uuidString, bytes: [UInt8](try $0.text)) }
    func changed(_ number: Int) -> [SampleCard] {
      cards.map { card in
        var card = card
        card.title = "Title \(number)"
        return card
      }
    }
    let floor = "floor: writes + syncfs + renames + fsync"
    let rounds = Rounds(budget: options.isQuick ? 2 : 30, turn: 0, least: options.isQuick ? 2 : 5)
    func contestant(_ name: String, _ save: @escaping ([SampleCard]) throws -> Void) -> Contestant {
      Contestant(name: name, batch: 1) { count in
        let sets = Numbers.take(count).map(changed)
        let start = Clock.wall.now
        for set in sets { try save(set) }
        return (Clock.wall.now - start) / Double(count)
      }
    }
    return try await rounds.run([
      contestant("Keepsake") { try store.save($0) },
      contestant("Foundation .atomic + one fsync") { try foundation.save($0) },
      contestant("GRDB FULL, one transaction") { try database.save($0) },
      contestant(floor) { _ in try raw.replace(files) },
    ]).rows(
      "save 500 documents together", reference: "Keepsake",
      targets: [Target(name: "Keepsake", limit: .times(1.3, of: floor))])
  }
}
