import Foundation
import GRDB

/// Settings in a table, used as GRDB's and SQLite's documentation recommend for speed: a queue in
/// WAL mode, statements prepared once, each change its own implicit transaction.
final class SettingsDatabase: Sendable {
  private static let select = "SELECT value FROM settings WHERE key = ?"
  private static let upsert = """
    INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value
    """

  private let queue: DatabaseQueue

  /// Opens a database as GRDB does by itself.
  init(path: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .wal
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  /// - Parameter isDurable: Whether a change outlives a power cut when it returns (`FULL`), or the
  ///   process only (`NORMAL`).
  convenience init(path: String, isDurable: Bool) throws {
    try self.init(path: path)
    try queue.writeWithoutTransaction { database in
      // GRDB sets NORMAL itself as it opens the file: asked for earlier, FULL would be lost.
      try database.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
      let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
      let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
      guard level == (isDurable ? 2 : 1), mode == "wal" else {
        throw DatabaseError(message: "synchronous is \(level ?? -1), journal_mode \(mode ?? "")")
      }
    }
  }

  func fill(_ values: [String: Any]) throws {
    try queue.write { database in
      try database.execute(
        sql: "CREATE TABLE settings (key TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID")
      let statement = try database.cachedStatement(sql: Self.upsert)
      for (key, value) in values {
        try statement.execute(
          arguments: [key, DatabaseValue(value: value) ?? .null])
      }
    }
    try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  func number(_ key: String) throws -> Int {
    // One statement needs no transaction around it, which costs as much again.
    try queue.unsafeRead { database in
      try Int.fetchOne(database.cachedStatement(sql: Self.select), arguments: [key]) ?? 0
    }
  }

  func set(_ number: Int, for key: String) throws {
    try queue.writeWithoutTransaction { database in
      try database.cachedStatement(sql: Self.upsert).execute(arguments: [key, number])
    }
  }

  func setAsynchronously(_ number: Int, for key: String) async throws {
    try await queue.writeWithoutTransaction { database in
      try database.cachedStatement(sql: Self.upsert).execute(arguments: [key, number])
    }
  }

  /// All settings, as one who reads them from memory later must take them in.
  func all() throws -> [String: DatabaseValue] {
    try queue.read { database in
      var values: [String: DatabaseValue] = [:]
      let rows = try GRDB.Row.fetchCursor(database, sql: "SELECT key, value FROM settings")
      while let row = try rows.next() {
        values[row[0]] = row[1] as DatabaseValue
      }
      return values
    }
  }

  static func number(_ key: String, in values: [String: DatabaseValue]) -> Int {
    values[key].flatMap { Int.fromDatabaseValue($0) } ?? 0
  }
}
