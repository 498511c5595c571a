import Foundation
import GRDB

/// Cards in a table, a row each, used as GRDB's documentation recommends: a queue in WAL mode,
/// statements prepared once, the card as JSON in a column. A change outlives a power cut (`FULL`).
final class CardDatabase: Sendable {
  private static let upsert = """
    INSERT INTO cards VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json
    """

  private let queue: DatabaseQueue

  init(path: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .wal
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      // GRDB sets NORMAL itself as it opens the file: asked for earlier, FULL would be lost.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else {
        throw DatabaseError(message: "synchronous is not FULL")
      }
      try database.execute(
        sql: "CREATE TABLE IF NOT EXISTS cards (id TEXT PRIMARY KEY NOT NULL, json BLOB NOT NULL)")
    }
  }

  /// All cards in the order of their identities.
  func all() throws -> [SampleCard] {
    let decoder = JSONDecoder()
    return try queue.read { database in
      var cards: [SampleCard] = []
      let rows = try GRDB.Row.fetchCursor(database, sql: "SELECT json FROM cards ORDER BY id")
      while let row = try rows.next() {
        cards.append(try decoder.decode(SampleCard.self, from: row[0] as Data))
      }
      return cards
    }
  }

  /// How many cards there are, and the first.
  func first() throws -> (count: Int, card: SampleCard?) {
    try queue.read { database in
      let ids = try String.fetchAll(database, sql: "SELECT id FROM cards ORDER BY id")
      let json = try Data.fetchOne(
        database, sql: "SELECT json FROM cards WHERE id = ?", arguments: [ids.first])
      return (ids.count, try json.map { try JSONDecoder().decode(SampleCard.self, from: $0) })
    }
  }

  /// Saves cards in one transaction.
  func save(_ cards: [SampleCard]) throws {
    let encoder = JSONEncoder()
    try queue.write { database in
      let statement = try database.cachedStatement(sql: Self.upsert)
      for card in cards {
        try statement.execute(arguments: [card.id.uuidString, try encoder.encode(card)])
      }
    }
  }

  func checkpoint() throws {
    try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }
}
