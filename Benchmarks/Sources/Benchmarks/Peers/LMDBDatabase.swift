import CLMDB
import Foundation

/// Settings in LMDB, each change a transaction of its own that is not flushed: it survives the process,
/// as a set of Keepsake's does.
final class LMDBDatabase: Sendable {
  /// `nonisolated(unsafe)`: LMDB allows any thread to use an environment, and never changes these.
  private nonisolated(unsafe) let environment: OpaquePointer
  private let database: MDB_dbi

  /// Opens an environment in a directory that is there.
  init(path: String) throws {
    var environment: OpaquePointer?
    try Self.check(mdb_env_create(&environment))
    self.environment = environment!
    try Self.check(mdb_env_set_mapsize(environment, 1 << 28))
    try Self.check(mdb_env_open(environment, path, UInt32(MDB_NOSYNC), 0o600))
    var transaction: OpaquePointer?
    try Self.check(mdb_txn_begin(environment, nil, 0, &transaction))
    var database = MDB_dbi()
    try Self.check(mdb_dbi_open(transaction, nil, 0, &database))
    try Self.check(mdb_txn_commit(transaction))
    self.database = database
  }

  deinit { mdb_env_close(environment) }

  func set(_ number: Int, for key: String) throws {
    var transaction: OpaquePointer?
    try Self.check(mdb_txn_begin(environment, nil, 0, &transaction))
    var (key, number) = (key, number)
    try key.withUTF8 { key in
      try withUnsafeMutableBytes(of: &number) { number in
        var name = MDB_val(
          mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
        var value = MDB_val(mv_size: number.count, mv_data: number.baseAddress)
        try Self.check(mdb_put(transaction, database, &name, &value, 0))
      }
    }
    try Self.check(mdb_txn_commit(transaction))
  }

  private static func check(_ code: Int32) throws {
    if code != 0 { throw POSIXError(.init(rawValue: code) ?? .EIO) }
  }
}
