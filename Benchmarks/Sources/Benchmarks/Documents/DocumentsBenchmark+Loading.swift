import Foundation
import Keepsake

extension DocumentsBenchmark {
  static func loading(
    _ count: Int, _ options: Options, in workspace: Workspace
  ) async throws -> [Row] {
    let cards = (0..<count).map { SampleCard.number($0) }
    let name = "load-\(count)"
    try prepare(cards, name, in: workspace)
    let expected = cards.sorted { $0.id.uuidString < $1.id.uuidString }
    let number = count.formatted(.number.grouping(.automatic).locale(Locale(identifier: "en_US")))
    let rounds = Rounds(budget: options.isQuick ? 2 : 25, turn: 0, least: options.isQuick ? 2 : 5)

    var rows: [Row] = []
    for isCold in [false, true] {
      let measurements = try await rounds.run(
        loaders(name, in: workspace).map { loader in
          Contestant(name: loader.name, batch: 1) { _ in
            if isCold { try PageCache.drop(directory(name, in: workspace)) }
            let start = Clock.wall.now
            let loaded = try await loader.load()
            let seconds = Clock.wall.now - start
            guard loaded == expected else { throw WrongResult(name: loader.name) }
            return seconds
          }
        })
      let target =
        count == 10_000 && !isCold
        ? [Target(name: keepsake, limit: .asFast(5, as: foundation))] : []
      rows += measurements.rows(
        "load \(number) documents, \(isCold ? "cold (\(PageCache.method.rawValue))" : "warm")",
        reference: keepsake, targets: target)
    }
    return try await rows
      + first(name, "list \(number), load the first", expected, rounds, in: workspace)
  }

  private static var keepsake: String { "Keepsake" }
  private static var foundation: String { "Foundation" }

  /// One way to load all cards, from nothing.
  private struct Loader {
    let name: String
    let load: () async throws -> [SampleCard]
  }

  private static func loaders(_ name: String, in workspace: Workspace) -> [Loader] {
    let directory = directory(name, in: workspace)
    return [
      Loader(name: keepsake) {
        var cards: [SampleCard] = []
        for await element in try store(name, in: workspace).loadAll() {
          cards.append(try element.result.get())
        }
        return cards
      },
      Loader(name: foundation) { try FoundationCards(directory: directory).all() },
      Loader(name: "Foundation, all processors") {
        try FoundationCards(directory: directory).allInParallel()
      },
      Loader(name: "GRDB") { try CardDatabase(path: "\(directory).sqlite").all() },
    ]
  }

  private static func first(
    _ name: String, _ work: String, _ expected: [SampleCard], _ rounds: Rounds,
    in workspace: Workspace
  ) async throws -> [Row] {
    var rounds = rounds
    rounds.budget /= 5
    let directory = directory(name, in: workspace)
    func contestant(
      _ name: String, _ first: @escaping () throws -> (count: Int, card: SampleCard?)
    ) -> Contestant {
      Contestant(name: name) { count in
        try Clock.wall.time(of: count) { _ in
          let found = try first()
          guard found.count == expected.count, found.card == expected.first else {
            throw WrongResult(name: name)
          }
        }
      }
    }
    return try await rounds.run([
      contestant(keepsake) {
        let store = try store(name, in: workspace)
        let ids = try store.ids()
        return (ids.count, try ids.first.map { try store.load($0) })
      },
      contestant(foundation) { try FoundationCards(directory: directory).first() },
      contestant("GRDB") { try CardDatabase(path: "\(directory).sqlite").first() },
    ]).rows(work, reference: keepsake)
  }
}
