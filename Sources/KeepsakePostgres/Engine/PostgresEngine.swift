#if Postgres
public import KeepsakeSync

/// A namespace in a database of PostgreSQL 14 or later.
///
/// Reads are linearizable. What is read, or acknowledged, is on disk there, and on a standby's if the server is set so.
public final class PostgresEngine: SyncEngine {
  private let pool: PostgresPool
  private let needsCommits: Bool
  private let namespace: String

  /// Creates a client, which connects when it is asked for something.
  ///
  /// - Parameters:
  ///   - uri: Where the database is, who asks, and how, as libpq's documentation says ("Connection URIs").
  ///   - namespace: Its name, which is not empty.
  /// - Throws: `rejected` if one of them cannot be used.
  public init(_ uri: String, namespace: String) throws(SyncError) {
    guard !namespace.isEmpty else { throw .rejected("The namespace has no name.") }
    guard !namespace.utf8.contains(0) else {
      throw .rejected(
        "The namespace's name has the character NUL, which PostgreSQL's text cannot have.")
    }
    let uri = try ConnectionURI(uri)
    needsCommits = uri.needsCommits
    pool = PostgresPool(uri) { connection throws(PostgresFailure) in
      try await PostgresSchema.prepare(connection)
    }
    self.namespace = namespace
  }

  /// How much one commit may contain.
  ///
  /// PostgreSQL takes far more. A commit locks the namespace, is in the server's and in each follower's memory as a
  /// whole, and must be through within the time for an answer: this is, in less than a second. Keys are in an index.
  public var limits: SyncLimits {
    SyncLimits(writes: 10_000, length: 8_000_000, keyLength: 2600)
  }

  /// Returns everything in the namespace.
  public func read() async throws(SyncError) -> SyncSnapshot {
    let name = PostgresParameter.text(namespace)
    return try await use { connection throws(PostgresFailure) in
      // One statement, and so one snapshot.
      let result = try await connection.perform(
        often: """
          SELECT NULL, NULL, convert_to(keepsake.cluster(), 'UTF8'), coalesce((
            SELECT revision FROM keepsake.namespaces WHERE name = $1), 0), version
          FROM keepsake.layout
          UNION ALL
          SELECT i.kind, i.key, i.value, i.revision, NULL FROM keepsake.items i
          WHERE i.namespace = (SELECT id FROM keepsake.namespaces WHERE name = $1)
            AND i.kind IN ('v', 'o')
          UNION ALL SELECT NULL, NULL, NULL, NULL, NULL WHERE \(Self.waitsForStandbys)
          """, name)
      var (cluster, revision): (String, UInt64) = ("", 0)
      var items: [SyncKey: SyncItem] = [:]
      for row in result.rows {
        guard let kind = result.bytes(row, 0), let key = result.bytes(row, 1) else {
          try PostgresSchema.check(result.integer(row, 4))
          (cluster, revision) = (result.text(row, 2), result.revision(row, 3))
          continue
        }
        items[SyncKey(kind: kind, key: key)] = SyncItem(
          value: result.bytes(row, 2) ?? [], revision: result.revision(row, 3))
      }
      guard !cluster.isEmpty else { throw .unusable("The table keepsake.layout is empty.") }
      return SyncSnapshot(cluster: identity(in: cluster), revision: revision, items: items)
    }
  }

  /// Makes all writes at once, if the conditions are met.
  public func perform(_ commit: SyncCommit) async throws(SyncError) -> SyncCommit.Result {
    let conditions = Array(commit.conditions)
    // Those come first that are reported.
    let (reported, blobs) = (
      commit.writes.filter { !$0.key.isBlob }, commit.writes.filter { $0.key.isBlob }
    )
    let writes = Array(reported) + Array(blobs)
    let lengths = writes.map { $0.key.bytes.count + ($0.value?.count ?? 0) }
    let length = lengths.reduce(0, +)
    // With some room for an origin's record.
    guard writes.count <= limits.writes + 1, length <= limits.length + 1000 else {
      throw .rejected(
        """
        The commit is too large: it has \(writes.count) writes of \(length) bytes, and may have \
        \(limits.writes) of \(limits.length).
        """)
    }
    return try await use { connection throws(PostgresFailure) in
      // What only reads waits for no commit, unless it asks of an origin, of which one may be under way.
      if writes.isEmpty, !conditions.contains(where: \.key.isOrigin) {
        return try await compare(conditions, connection)
      }
      let result: PostgresResult
      do throws(PostgresFailure) {
        result = try await connection.perform(
          often: "SELECT * FROM keepsake.commit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
          .integer(PostgresSchema.version), .text(namespace),
          .characters(conditions.map(\.key.kind)), .byteArrays(conditions.map(\.key.bytes)),
          .integers(conditions.map { Int64(clamping: $0.value) }),
          .characters(writes.map(\.key.kind)), .byteArrays(writes.map(\.key.bytes)),
          .byteArrays(writes.map(\.value)), .integer(Int32(reported.count)),
          .integer(Int64(lengths.prefix(reported.count).reduce(0, +))))
      } catch {
        guard case .refused(let state, let text) = error else { throw error }
        // Transactions are read-only, as the role's are by default, and not since this is a standby.
        let isReader = error.meansReadOnly && !needsCommits && !connection.isStandby
        // Who may only read may ask for what is there.
        if writes.isEmpty, isReader || state == "42501" /* insufficient_privilege */ {
          return try await compare(conditions, connection)
        }
        throw isReader ? .unusable(text) : error
      }
      if let row = result.rows.first, result.integer(row, 1) != nil {
        return .committed(revision: result.revision(row, 1))
      }
      let records = items(of: conditions, in: result)
      let others = conditions.filter { !$0.key.isOrigin }
      if others.isEmpty { return .refused(current: records) }
      let (values, _) = try await current(of: others, connection)
      return .refused(current: records.filter(\.key.isOrigin).merging(values) { $1 })
    }
  }

  /// What a commit without writes returns.
  private func compare(
    _ conditions: [(key: SyncKey, value: UInt64)], _ connection: PostgresConnection
  ) async throws(PostgresFailure) -> SyncCommit.Result {
    let (current, revision) = try await current(of: conditions, connection)
    let isMet = conditions.allSatisfy { current[$0.key]?.revision ?? 0 == $0.value }
    return isMet ? .committed(revision: revision) : .refused(current: current)
  }

  /// What the keys of conditions have now, and the revision of the last commit.
  private func current(
    of conditions: [(key: SyncKey, value: UInt64)], _ connection: PostgresConnection
  ) async throws(PostgresFailure) -> ([SyncKey: SyncItem], UInt64) {
    let result = try await connection.perform(
      often: """
        SELECT -1, version, NULL::bytea FROM keepsake.layout
        UNION ALL SELECT 0, n.revision, NULL FROM keepsake.namespaces n WHERE n.name = $1
        UNION ALL SELECT c.place, i.revision, i.value
        FROM keepsake.namespaces n
        CROSS JOIN unnest($2::"char"[], $3::bytea[]) WITH ORDINALITY AS c (kind, key, place)
        JOIN keepsake.items i ON i.namespace = n.id AND i.kind = c.kind AND i.key = c.key
        WHERE n.name = $1
        UNION ALL SELECT NULL, NULL, NULL WHERE \(Self.waitsForStandbys)
        """,
      .text(namespace), .characters(conditions.map(\.key.kind)),
      .byteArrays(conditions.map(\.key.bytes)))
    let layout = result.rows.first { result.integer($0, 0) == -1 }
    try PostgresSchema.check(layout.flatMap { result.integer($0, 1) })
    let head = result.rows.first { result.integer($0, 0) == 0 }
    return (items(of: conditions, in: result), head.map { result.revision($0, 1) } ?? 0)
  }

  /// A condition that is never true: with it at its end, what reads waits for standbys as what commits.
  ///
  /// What is seen may be on none, if its commit's wait was interrupted, and a server that was replaced by a standby may
  /// not know so. A message in the server's log has the transaction wait; a standby refuses to number it, as it refuses
  /// commits. Who waits for standbys keeps a connection of the server, also when the client is gone: so only one does
  /// for each namespace, `$1`, and others wait for it, which can be interrupted.
  private static let waitsForStandbys = """
    CASE WHEN pg_is_in_recovery() OR current_setting('synchronous_standby_names') <> '' THEN
      concat(
        pg_advisory_xact_lock(hashtextextended('keepsake/' || $1, 0)),
        set_config(
          'synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true),
        pg_logical_emit_message(true, 'keepsake', pg_current_xact_id()::text)) IS NULL
    ELSE false END
    """

  /// What the keys of conditions have; the first column is the place of a condition, or zero.
  private func items(
    of conditions: [(key: SyncKey, value: UInt64)], in result: PostgresResult
  ) -> [SyncKey: SyncItem] {
    var current: [SyncKey: SyncItem] = [:]
    for row in result.rows {
      guard let place = result.integer(row, 0), place > 0 else { continue }
      current[conditions[Int(place) - 1].key] = SyncItem(
        value: result.bytes(row, 2) ?? [], revision: result.revision(row, 1))
    }
    return current
  }

  /// Reports every commit after a revision.
  public func follow(
    after revision: UInt64,
    _ receive: @concurrent @Sendable (SyncMessage) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    var failure: SyncError?
    func report(_ message: SyncMessage) async throws(PostgresFailure) {
      do throws(SyncError) { try await receive(message) } catch {
        failure = error
        throw .lost("\(error)")
      }
    }
    do throws(PostgresFailure) {
      let connection = try await pool.open()
      defer { connection.close() }
      let id = try await namespaceID(connection)
      // Before the log is first read: what is committed after that is notified.
      try await connection.perform(script: "LISTEN \"keepsake.\(id)\"")
      let position = try await connection.perform(
        """
        SELECT keepsake.cluster(), l.version, n.revision
        FROM keepsake.layout l, keepsake.namespaces n WHERE n.name = $1 AND n.id = $2
        UNION ALL SELECT NULL, NULL, NULL WHERE \(Self.waitsForStandbys)
        """, .text(namespace), .integer(id))
      guard let row = position.rows.first else { throw Self.removed }
      try PostgresSchema.check(position.integer(row, 1))
      try await report(
        .opened(
          SyncPosition(
            cluster: identity(in: position.text(row, 0)), revision: position.revision(row, 2))))
      var known = revision
      while true {
        // A notification says only that there may be commits.
        while let changes = try await changes(of: id, after: known, connection) {
          for change in changes {
            known = change.revision
            try await report(.change(change))
          }
        }
        try await connection.awaitNotification()
      }
    } catch {
      if error == Self.compacted { throw .compacted }
      throw failure ?? error.syncError
    }
  }

  /// Returns which database it is, and the revision of the namespace's last commit.
  public func position() async throws(SyncError) -> SyncPosition {
    let name = PostgresParameter.text(namespace)
    return try await use { connection throws(PostgresFailure) in
      let result = try await connection.perform(
        often: """
          SELECT version, (SELECT revision FROM keepsake.namespaces WHERE name = $1),
            keepsake.cluster(), current_setting('transaction_read_only')
          FROM keepsake.layout
          """, name)
      guard let row = result.rows.first else {
        throw .unusable("The table keepsake.layout is empty.")
      }
      try PostgresSchema.check(result.integer(row, 0))
      // Another one may do so by now.
      if needsCommits, result.text(row, 3) == "on" { throw .readOnly }
      return SyncPosition(
        cluster: identity(in: result.text(row, 2)), revision: result.revision(row, 1))
    }
  }

  private func identity(in cluster: String) -> String { "\(cluster)/\(namespace)" }

  private static let removed = PostgresFailure.lost("The namespace was removed.")
  private static let compacted = PostgresFailure.unusable("The log no longer has a commit.")

  /// Performs what is one transaction, again if it met another one, or what its connection had prepared is of no use.
  private func use<Result>(
    _ body: (PostgresConnection) async throws(PostgresFailure) -> Result
  ) async throws(SyncError) -> Result {
    var attempts = 1
    while true {
      do throws(PostgresFailure) { return try await pool.withConnection(body) } catch {
        guard error.isCollision && attempts < 5 || error.meansStalePlan && attempts == 1 else {
          throw error.syncError
        }
        attempts += 1
      }
    }
  }

  /// What the database calls the namespace, which exists then.
  private func namespaceID(_ connection: PostgresConnection) async throws(PostgresFailure) -> Int32
  {
    let name = PostgresParameter.text(namespace)
    while true {
      let result = try await connection.perform(
        "SELECT id FROM keepsake.namespaces WHERE name = $1", name)
      if let id = result.rows.first.flatMap({ result.integer($0, 0) }) { return Int32(id) }
      do throws(PostgresFailure) {
        try await connection.perform(
          "INSERT INTO keepsake.namespaces (name) VALUES ($1) ON CONFLICT DO NOTHING", name)
      } catch {
        guard case .refused("42501" /* insufficient_privilege */, let text) = error else {
          throw error
        }
        // Somebody else will: this member may only read.
        throw .lost("Nobody has written to the namespace yet. \(text)")
      }
    }
  }

  /// The next commits after a revision, in order, but not all if they are many; nil if there are none.
  private func changes(
    of namespace: Int32, after revision: UInt64, _ connection: PostgresConnection
  ) async throws(PostgresFailure) -> [SyncChange]? {
    // The first commit, however large, and what follows of 1 MB: a connection on which none arrives for some seconds is
    // taken for dead, also if it is only slow.
    let result = try await connection.perform(
      often: """
        SELECT n.revision, c.revision, c.kinds, c.keys, c.contents,
          (SELECT version FROM keepsake.layout)
        FROM keepsake.namespaces n LEFT JOIN LATERAL (
          SELECT * FROM keepsake.commits c
          WHERE c.namespace = n.id AND c.revision > $2 AND c.written <= 1000000 + (
            SELECT first.written FROM keepsake.commits first
            WHERE first.namespace = n.id AND first.revision = $2 + 1)
          ORDER BY c.revision LIMIT 1000
        ) c ON true
        WHERE n.id = $1
        """, .integer(namespace), .integer(Int64(clamping: revision)))
    guard let first = result.rows.first else { throw Self.removed }
    try PostgresSchema.check(result.integer(first, 5))
    guard result.revision(first, 0) > revision else { return nil }
    var changes: [SyncChange] = []
    for row in result.rows {
      // Revisions have no gaps: what is missing was trimmed.
      let next = revision + UInt64(changes.count) + 1
      guard result.revision(row, 1) == next else { throw Self.compacted }
      var writes: [SyncKey: [UInt8]?] = [:]
      let (kinds, keys) = (try result.array(row, 2), try result.array(row, 3))
      let contents = try result.array(row, 4)
      guard kinds.count == contents.count, keys.count == contents.count else {
        throw .unusable(
          "The commit \(next) of the table keepsake.commits has keys without contents.")
      }
      for (index, content) in contents.enumerated() {
        writes.updateValue(
          content, forKey: SyncKey(kind: kinds[index] ?? [], key: keys[index] ?? []))
      }
      changes.append(SyncChange(revision: next, writes: writes))
    }
    return changes
  }
}

extension SyncEngine where Self == PostgresEngine {
  /// A namespace in a database of PostgreSQL.
  ///
  /// - Parameters:
  ///   - uri: Where the database is, who asks, and how, as libpq's documentation says ("Connection URIs").
  ///   - namespace: Its name, which is not empty.
  /// - Throws: `rejected` if one of them cannot be used.
  public static func postgres(
    _ uri: String, namespace: String
  ) throws(SyncError) -> PostgresEngine {
    try PostgresEngine(uri, namespace: namespace)
  }
}

extension PostgresResult {
  fileprivate func revision(_ row: Int, _ column: Int) -> UInt64 {
    UInt64(clamping: integer(row, column) ?? 0)
  }
}

extension SyncKey {
  fileprivate var isBlob: Bool { if case .blob = self { true } else { false } }
  fileprivate var isOrigin: Bool { if case .origin = self { true } else { false } }

  /// How the tables name the kinds of keys.
  fileprivate var kind: UInt8 {
    switch self {
    case .value: UInt8(ascii: "v")
    case .origin: UInt8(ascii: "o")
    case .blob: UInt8(ascii: "b")
    }
  }

  fileprivate var bytes: [UInt8] {
    switch self {
    case .value(let bytes): bytes
    case .origin(let name), .blob(let name): Array(name.utf8)
    }
  }

  fileprivate init(kind: [UInt8], key: [UInt8]) {
    self =
      kind == [UInt8(ascii: "o")]
      ? .origin(String(decoding: key, as: UTF8.self)) : .value(key)
  }
}
#endif
