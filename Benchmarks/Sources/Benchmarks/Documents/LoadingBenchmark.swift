import Foundation
import Keepsake

/// All documents loaded, the memory that takes, and their identities alone.
enum LoadingBenchmark: Benchmark {
  static let name = "loading"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    var rows: [Row] = []
    for count in options.isQuick ? [1000] : [1000, 10_000] {
      rows += try await loading(count, options, in: workspace)
    }
    return try await rows + listing(options.isQuick ? 1000 : 100_000, options, in: workspace)
  }

  private static func loading(
    _ count: Int, _ options: Options, in workspace: Workspace
  ) async throws -> [Row] {
    let cards = (0..<count).map { SampleCard.number($0) }
    let name = "load-\(count)"
    try DocumentFixture.prepare(cards, name, in: workspace)
    let expected = cards.sorted { $0.id.uuidString < $1.id.uuidString }
    let rounds = rounds(options)

    var rows: [Row] = []
    for isCold in [false, true] {
      let measurements = try await rounds.run(
        CardLoader.allCases.map { loader in
          Contestant(name: loader.title, batch: 1) { _ in
            if isCold { try PageCache.drop(DocumentFixture.directory(name, in: workspace)) }
            let start = Clock.wall.now
            let loaded = try await loader.load(name, in: workspace)
            let seconds = Clock.wall.now - start
            guard loaded == expected else { throw WrongResult(name: loader.title) }
            return seconds
          }
        })
      let targets =
        count == 10_000 && !isCold
        ? [
          Target(name: keepsake, limit: .asFast(4.5, as: CardLoader.foundation.title)),
          Target(name: keepsake, limit: .asFast(2.5, as: CardLoader.parallel.title)),
        ] : []
      rows += measurements.rows(
        "load \(Format.count(count)) documents, "
          + (isCold ? "cold (\(PageCache.method.rawValue))" : "warm"),
        reference: keepsake, targets: targets)
    }
    rows += try await memory(count, name, options, in: workspace)
    return try await rows
      + first(name, "list \(Format.count(count)), load the first", expected, rounds, in: workspace)
  }

  private static var keepsake: String { CardLoader.keepsake.title }

  private static func rounds(_ options: Options) -> Rounds {
    Rounds(budget: options.isQuick ? 2 : 25, turn: 0, least: options.isQuick ? 2 : 5)
  }

  /// The most memory of a process that loads all cards and keeps them.
  private static func memory(
    _ count: Int, _ name: String, _ options: Options, in workspace: Workspace
  ) async throws -> [Row] {
    var peak = Measurements(of: CardLoader.allCases.map(\.title))
    for _ in 0..<(options.isQuick ? 2 : 7) {
      for loader in CardLoader.allCases.shuffled() {
        peak.add(try LoadingChild.run(loader, name), of: loader.title)
      }
    }
    return peak.rows(
      "peak of memory of a process that loads \(Format.count(count))", reference: keepsake,
      targets: count == 10_000
        ? [Target(name: keepsake, limit: .times(1.2, of: CardLoader.foundation.title))] : [],
      unit: .bytes)
  }

  private static func first(
    _ name: String, _ work: String, _ expected: [SampleCard], _ rounds: Rounds,
    in workspace: Workspace
  ) async throws -> [Row] {
    var rounds = rounds
    rounds.budget /= 5
    let directory = DocumentFixture.directory(name, in: workspace)
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
        let store = try DocumentFixture.store(name, in: workspace)
        let ids = try store.ids()
        return (ids.count, try ids.first.map { try store.load($0) })
      },
      contestant(CardLoader.foundation.title) {
        try FoundationCards(directory: directory).first()
      },
      contestant(CardLoader.database.title) {
        try CardDatabase(path: "\(directory).sqlite").first()
      },
    ]).rows(work, reference: keepsake)
  }

  /// The identities of all documents of a directory.
  private static func listing(
    _ count: Int, _ options: Options, in workspace: Workspace
  ) async throws -> [Row] {
    let name = "list-\(count)"
    try DocumentFixture.prepareNames(count, name, in: workspace)
    var rounds = rounds(options)
    rounds.budget /= 5
    let directory = DocumentFixture.directory(name, in: workspace)
    func contestant(_ name: String, _ list: @escaping () throws -> Int) -> Contestant {
      Contestant(name: name, batch: 1) { _ in
        try Clock.wall.time(of: 1) { _ in
          guard try list() == count else { throw WrongResult(name: name) }
        }
      }
    }
    return try await rounds.run([
      contestant(keepsake) { try DocumentFixture.store(name, in: workspace).ids().count },
      contestant(CardLoader.foundation.title) {
        try FoundationCards(directory: directory).ids().count
      },
      contestant("floor: readdir") { try RawFiles(directory: directory).count() },
    ]).rows(
      "ids of \(Format.count(count))", reference: keepsake,
      targets: count == 100_000 ? [Target(name: keepsake, limit: .seconds(0.08))] : [])
  }
}
