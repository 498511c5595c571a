import Foundation
import KeepsakePostgres
import KeepsakeSettings
import KeepsakeSync
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@Suite(
  "A namespace in PostgreSQL", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Cluster.hasPostgres))
struct PostgresEngineTests {
  private let key = SyncKey.value([1])

  private func write(_ value: UInt8, to engine: PostgresEngine) async throws(SyncError) {
    _ = try await engine.perform(SyncCommit(conditions: [:], writes: [key: [value]]))
  }

  /// The text with which an attempt is rejected; nil if it is not.
  private func rejection(_ attempt: () async throws -> Void) async -> String? {
    do { try await attempt() } catch {
      if case .rejected(let text) = error as? SyncError { return text }
    }
    return nil
  }

  @Test("It does what an engine must do")
  func conformance() async throws {
    let cluster = try Cluster("--only", "postgres")
    let conformance = SyncEngineConformance(
      forgetCommits: { namespace in
        try cluster.psql(
          """
          DELETE FROM keepsake.commits c USING keepsake.namespaces n
            WHERE c.namespace = n.id AND n.name = '\(namespace)'
          """)
      }
    ) { [postgres = cluster.postgres] namespace in
      try PostgresEngine(postgres, namespace: namespace)
    }
    #expect(try await conformance.violations() == [])
  }

  @Test("A person finds the values under their names, and can change them")
  func readableKeys() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "team/hiit")
    let units = SyncKey.value(Array("units".utf8))
    _ = try await engine.perform(
      SyncCommit(
        conditions: [:], writes: [units: Array("metric".utf8), key: [0xFF, 0], .value([0]): [7]]))
    #expect(
      try cluster.psql("SELECT * FROM keepsake.contents ORDER BY key COLLATE \"C\"") == """
        team/hiit|value|\u{1}|\\xff00|1
        team/hiit|value|\\x00|\u{7}|1
        team/hiit|value|units|metric|1

        """)
    try cluster.psql("SELECT keepsake.put('team/hiit', 'units', 'imperial')")
    #expect(try await engine.read().items[units]?.value == Array("imperial".utf8))
    try cluster.psql("SELECT keepsake.put('team/hiit', 'units', NULL)")
    let snapshot = try await engine.read()
    #expect(snapshot.items[units] == nil)
    #expect(snapshot.revision == 3)
  }

  @Test("Functions and operators that somebody has put into the schema public are not called")
  func otherFunctions() async throws {
    let cluster = try Cluster("--only", "postgres")
    try await write(1, to: try PostgresEngine(cluster.postgres, namespace: "a"))
    // Each would be taken before that of PostgreSQL, whose types fit less.
    try cluster.psql(
      """
      CREATE FUNCTION public.raise(bigint, integer) RETURNS bigint LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'An operator of public was called.'; END $$;
      CREATE OPERATOR public.% (LEFTARG = bigint, RIGHTARG = integer, FUNCTION = public.raise);
      CREATE FUNCTION public.convert_to(text, text) RETURNS bytea LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'A function of public was called.'; END $$;
      CREATE FUNCTION public.convert_from(bytea, text) RETURNS text LANGUAGE plpgsql
        AS $$ BEGIN RAISE 'A function of public was called.'; END $$;
      """)
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(2, to: engine)
    #expect(try await engine.read().items.count == 1)
    try cluster.psql("SELECT keepsake.put('a', 'units', 'metric')")
    #expect(
      try cluster.psql("SELECT value FROM keepsake.contents WHERE revision = 3") == "metric\n")
    // The path of the engine's sessions is enough for functions that have none.
    try cluster.psql(
      "ALTER FUNCTION keepsake.commit RESET ALL", "ALTER FUNCTION keepsake.put RESET ALL")
    try await write(4, to: try PostgresEngine(cluster.postgres, namespace: "a"))
  }

  @Test("Commits that the log no longer has are asked for in vain")
  func compaction() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(0, to: engine)
    try cluster.psql("SELECT keepsake.put('a', 'k', n::text) FROM generate_series(1, 10031) n")
    #expect(try cluster.psql("SELECT min(revision) FROM keepsake.commits") == "33\n")
    await #expect(throws: SyncError.compacted) { try await engine.follow(after: 31) { _ in } }
    #expect(try await changes(of: engine, after: 32, count: 10_000).map(\.revision).last == 10032)
    // Also when none is left.
    try cluster.psql("DELETE FROM keepsake.commits")
    await #expect(throws: SyncError.compacted) { try await engine.follow(after: 10031) { _ in } }
  }

  @Test("The log is also trimmed by its size")
  func largeLog() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(0, to: engine)
    try cluster.psql(
      """
      SELECT keepsake.put('a', 'k', repeat('0123456789', 800000)) FROM generate_series(1, 63);
      """)
    // Those of 256 MiB.
    #expect(try cluster.psql("SELECT min(revision) FROM keepsake.commits") == "31\n")
    #expect(try await changes(of: engine, after: 30, count: 34).map(\.revision).last == 64)
  }

  @Test("A follower receives what several write at the same time, each commit once and in order")
  func concurrentWriters() async throws {
    let cluster = try Cluster("--only", "postgres")
    let (writers, rounds) = (6, 100)
    let follower = try PostgresEngine(cluster.postgres, namespace: "a")
    let received = try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        let engine = try PostgresEngine(cluster.postgres, namespace: "a")
        group.addTask {
          for round in 0..<rounds {
            let name = SyncKey.value(Array("\(writer) \(round)".utf8))
            _ = try await engine.perform(SyncCommit(conditions: [:], writes: [name: [1]]))
          }
        }
      }
      let received = try await changes(of: follower, after: 0, count: writers * rounds)
      try await group.waitForAll()
      return received
    }
    #expect(received.map(\.revision) == (1...UInt64(writers * rounds)).map { $0 })
    #expect(Set(received.flatMap(\.writes.keys)).count == writers * rounds)
  }

  @Test("A follower receives a commit that was made while it read the one before")
  func notificationsBesideAnswers() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    let follower = try PostgresEngine(cluster.postgres, namespace: "a")
    let (messages, sink) = AsyncStream.makeStream(of: SyncMessage.self)
    let following = Task { try await follower.follow(after: 0) { sink.yield($0) } }
    defer { following.cancel() }
    var iterator = messages.makeAsyncIterator()
    _ = await iterator.next()
    for number in UInt64(1)...1000 {
      try await write(1, to: engine)
      guard case .change(let change)? = await iterator.next() else { break }
      try #require(change.revision == number)
    }
  }

  @Test("Of two commits with the same condition that wait for the namespace, one is refused")
  func conditionsUnderLock() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engines = try (0..<3).map { _ in try PostgresEngine(cluster.postgres, namespace: "a") }
    try await write(0, to: engines[0])
    for round in UInt64(1)...5 {
      // Both wait for the row while it is locked here, and have begun before the other commits.
      let lock = Task {
        try cluster.psql(
          """
          DO $$ BEGIN
            PERFORM FROM keepsake.namespaces FOR UPDATE;
            FOR attempt IN 1..3000 LOOP
              PERFORM pg_stat_clear_snapshot();
              EXIT WHEN (
                SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock') = 2;
              PERFORM pg_sleep(0.01);
            END LOOP;
          END $$
          """)
      }
      try await eventually {
        let free = try cluster.psql("SELECT id FROM keepsake.namespaces FOR UPDATE SKIP LOCKED")
        return free.isEmpty ? true : nil
      }
      let committed = try await withThrowingTaskGroup(of: Bool.self) { group in
        for engine in engines.dropFirst() {
          group.addTask {
            let commit = SyncCommit(conditions: [key: round], writes: [key: [1]])
            if case .committed = try await engine.perform(commit) { return true }
            return false
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      _ = try await lock.value
      #expect(committed == 1)
      #expect(try await engines[0].position().revision == round + 1)
    }
  }

  @Test("What a refused commit was numbered is the number of the next one")
  func refusedRevisions() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(1, to: engine)
    for _ in 0..<3 {
      let result = try await engine.perform(
        SyncCommit(conditions: [key: 7], writes: [key: [9]]))
      #expect(result == .refused(current: [key: SyncItem(value: [1], revision: 1)]))
    }
    try await write(2, to: engine)
    #expect(try await engine.position().revision == 2)
    #expect(try await changes(of: engine, after: 0, count: 2).map(\.revision) == [1, 2])
  }

  @Test("A database that a newer version has changed is left alone, with a text that says so")
  func newerLayout() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(1, to: engine)
    try cluster.psql("UPDATE keepsake.layout SET version = 2")
    // One that was connected before, and one that was not.
    for engine in [engine, try PostgresEngine(cluster.postgres, namespace: "a")] {
      for attempt in [
        { _ = try await engine.read() }, { try await write(2, to: engine) },
        { try await engine.follow(after: 1) { _ in } }, { _ = try await engine.position() },
        { _ = try await engine.perform(SyncCommit(conditions: [key: 1], writes: [:])) },
      ] {
        #expect(await rejection(attempt)?.contains("layout") == true)
      }
    }
    #expect(try cluster.psql("SELECT value FROM keepsake.contents") == "\u{1}\n")
  }

  @Test("Many engines that find no schema at the same time make one")
  func concurrentMigrations() async throws {
    let cluster = try Cluster("--only", "postgres")
    let identities = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        let engine = try PostgresEngine(cluster.postgres, namespace: "a")
        group.addTask { try await engine.read().cluster }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(identities.count == 1)
    // All of it by one transaction: what another has made in the meantime is not made again.
    #expect(
      try cluster.psql(
        """
        SELECT count(DISTINCT maker) FROM (
          SELECT xmin::text AS maker FROM keepsake.layout
          UNION ALL SELECT xmin::text FROM pg_proc WHERE pronamespace = 'keepsake'::regnamespace
        ) makers
        """) == "1\n")
  }

  @Test("A schema that was removed is made again, and is another cluster")
  func removedSchema() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    let identity = try await engine.read().cluster
    try cluster.psql("DROP SCHEMA keepsake CASCADE")
    await #expect(throws: SyncError.self) { try await write(1, to: engine) }
    try await write(2, to: engine)
    let snapshot = try await engine.read()
    #expect(snapshot.items == [key: SyncItem(value: [2], revision: 1)])
    #expect(snapshot.cluster != identity)
  }

  @Test(
    "Commits are durable before they are acknowledged, also where the database's default is otherwise"
  )
  func durability() async throws {
    let cluster = try Cluster("--only", "postgres")
    try cluster.psql(
      """
      ALTER DATABASE postgres SET synchronous_commit = off;
      ALTER DATABASE postgres SET default_transaction_isolation = 'serializable';
      """)
    // A page that is written long after that of the commit would be.
    try cluster.psql("ALTER SYSTEM SET wal_writer_delay = '10s'", "SELECT pg_reload_conf()")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(0, to: engine)
    for round in 1...UInt8(5) {
      try await write(round, to: engine)
      try cluster.perform("kill postgres")
      try cluster.perform("start postgres")
      let snapshot = try await eventually { try await engine.read() }
      #expect(snapshot.items[key]?.value == [round])
    }
    // What is stronger stays.
    let setting = try cluster.psql(
      """
      SET synchronous_commit = remote_apply; BEGIN; SELECT keepsake.put('a', 'a', 'a');
      SHOW synchronous_commit; ROLLBACK
      """)
    #expect(setting.hasSuffix("remote_apply\n"))
  }

  @Test("What commits, reads or follows waits for the standby that is named", arguments: 0..<4)
  func awaitingStandby(_ kind: Int) async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(1, to: engine)
    try cluster.psql(
      "ALTER DATABASE postgres SET synchronous_commit = off",
      "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
    let waiting = try PostgresEngine(cluster.postgres, namespace: "a")
    _ = try await eventually { try await waiting.position() }
    func waits(_ condition: String) throws -> Int? {
      Int(
        try cluster.psql("SELECT count(*) FROM pg_stat_activity WHERE \(condition)").dropLast())
    }
    let attempts = (0..<4).map { _ in
      Task {
        switch kind {
        case 0: try await write(2, to: waiting)
        case 1: _ = try await waiting.perform(SyncCommit(conditions: [key: 1], writes: [:]))
        case 2: _ = try await waiting.read()
        default: try await waiting.follow(after: 0) { _ in }
        }
      }
    }
    try await eventually {
      try waits("wait_event = 'SyncRep'") == 1 && waits("wait_event_type = 'Lock'") == 3
        ? true : nil
    }
    // They end at once, though the server would never answer; and take few of its connections from then on.
    for attempt in attempts { attempt.cancel() }
    for attempt in attempts {
      await #expect(throws: SyncError.self) { try await attempt.value }
    }
    try await eventually { try waits("wait_event_type = 'Lock'") == 0 ? true : nil }
    #expect(try waits("wait_event = 'SyncRep'") == 1)
  }

  @Test("What reads is answered by no standby")
  func standby() async throws {
    let cluster = try Cluster("--only", "postgres")
    let (primary, any) = try (
      PostgresEngine(cluster.postgres, namespace: "a"),
      PostgresEngine(cluster.postgres + "?target_session_attrs=any", namespace: "a")
    )
    try await write(1, to: primary)
    let reading = SyncCommit(conditions: [key: 1], writes: [:])
    #expect(try await any.perform(reading) == .committed(revision: 1))
    let directory = try cluster.psql("SHOW data_directory").dropLast()
    try cluster.perform("kill postgres")
    try Data().write(to: URL(fileURLWithPath: "\(directory)/standby.signal"))
    try cluster.perform("start postgres")
    _ = try await eventually { try await any.position() }
    func isUnreachable(_ error: any Error) -> Bool {
      if case .unreachable = error as? SyncError { true } else { false }
    }
    await #expect { _ = try await any.perform(reading) } throws: { isUnreachable($0) }
    await #expect { _ = try await any.read() } throws: { isUnreachable($0) }
  }

  @Test("A commit is not acknowledged if an operator has ended its wait for a standby")
  func canceledReplication() async throws {
    let cluster = try Cluster("--only", "postgres")
    // The warning that says so is asked for.
    try cluster.psql("ALTER ROLE keepsake SET client_min_messages = error")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(1, to: engine)
    try cluster.psql(
      "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
    let attempt = Task { while true { try await write(2, to: engine) } }
    defer { attempt.cancel() }
    try await eventually {
      let canceled = try cluster.psql(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      return canceled == "t\n" ? true : nil
    }
    await #expect {
      try await attempt.value
    } throws: {
      if case .unreachable(let text) = $0 as? SyncError { text.contains("standby") } else { false }
    }
    // It was made all the same.
    let found = try cluster.psql("SELECT value FROM keepsake.items WHERE kind = 'v'")
    #expect(found == "\\x02\n")
  }

  @Test("A role without rights is rejected with the reason, and one that does not exist")
  func rights() async throws {
    let cluster = try Cluster("--only", "postgres")
    try cluster.psql("CREATE ROLE guest LOGIN", "CREATE ROLE nobody")
    func engine(_ user: String) throws -> PostgresEngine {
      try PostgresEngine(
        cluster.postgres.replacing("keepsake@", with: "\(user):hidden@"), namespace: "a")
    }
    for user in ["guest", "nobody", "missing"] {
      let text = await rejection { try await write(1, to: try engine(user)) }
      #expect(text != nil && text?.contains("hidden") == false)
    }
    // Once somebody has made the schema, rights to it are enough.
    try await write(1, to: try PostgresEngine(cluster.postgres, namespace: "a"))
    try cluster.psql(
      "GRANT USAGE ON SCHEMA keepsake TO guest",
      "GRANT SELECT ON ALL TABLES IN SCHEMA keepsake TO guest")
    let missing = SyncKey.value([2])
    let never = UInt64(Int64.max)
    let found = try await engine("guest").perform(
      SyncCommit(conditions: [key: never, missing: never], writes: [:]))
    #expect(found == .refused(current: [key: SyncItem(value: [1], revision: 1)]))
    #expect(await rejection { try await write(2, to: try engine("guest")) } != nil)
    // A namespace that is empty is one that others have yet to write to.
    let uri = cluster.postgres.replacing("keepsake@", with: "guest@")
    let early = try PostgresEngine(uri, namespace: "b")
    await #expect {
      try await early.follow(after: 0) { _ in }
    } throws: {
      if case .unreachable = $0 as? SyncError { true } else { false }
    }
    try cluster.psql(
      "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA keepsake TO guest")
    try await write(2, to: try engine("guest"))
  }

  @Test("A role that is read-only by default is answered what it asks, and rejected when it writes")
  func readOnlyRole() async throws {
    let cluster = try Cluster("--only", "postgres")
    try await write(1, to: try PostgresEngine(cluster.postgres, namespace: "a"))
    try cluster.psql(
      "CREATE ROLE reader LOGIN", "ALTER ROLE reader SET default_transaction_read_only = on",
      "GRANT USAGE ON SCHEMA keepsake TO reader",
      "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA keepsake TO reader")
    let uri = cluster.postgres.replacing("keepsake@", with: "reader@")
    let engine = try PostgresEngine(
      uri + (uri.contains("?") ? "&" : "?") + "target_session_attrs=any", namespace: "a")
    let question = SyncCommit(conditions: [.origin("other"): UInt64(Int64.max)], writes: [:])
    #expect(try await engine.perform(question) == .refused(current: [:]))
    #expect(try await engine.position().revision == 1)
    #expect(await rejection { try await write(2, to: engine) }?.contains("read-only") == true)
  }

  @Test("A wrong password is rejected, and shown nowhere")
  func passwords() async throws {
    let cluster = try Cluster("--only", "postgres")
    try cluster.psql(
      "ALTER ROLE keepsake PASSWORD 's3cret'",
      "CREATE TABLE rules (line text)",
      "INSERT INTO rules VALUES ('host all all 127.0.0.1/32 scram-sha-256')",
      "DO $$ BEGIN EXECUTE format('COPY rules TO %L', current_setting('hba_file')); END $$",
      "SELECT pg_reload_conf()")
    func engine(_ credentials: String) throws -> PostgresEngine {
      try PostgresEngine(
        cluster.postgres.replacing("keepsake@", with: credentials), namespace: "a")
    }
    let text = try await eventually {
      await rejection { try await write(1, to: try engine("keepsake:wr0ng@")) }
    }
    #expect(text.contains("28P01") && !text.contains("wr0ng"))
    #expect(await rejection { try await write(1, to: try engine("keepsake@")) } != nil)
    try await write(1, to: try engine("keepsake:s3cret@"))
  }

  @Test("The server must show a certificate of an authority that is trusted")
  func certificates() async throws {
    let (cluster, other) = try (
      Cluster("--only", "postgres", "--tls"), Cluster("--only", "postgres", "--tls")
    )
    func engine(_ authority: String?) throws -> PostgresEngine {
      try PostgresEngine(
        "\(cluster.postgres)?sslmode=verify-ca&sslrootcert=\(authority ?? "")", namespace: "a")
    }
    let distrusting = try engine(other.addresses.authority)
    #expect(
      await rejection { try await write(1, to: distrusting) }?.contains("certificate") == true)
    let lost = try engine("/nowhere.pem")
    #expect(await rejection { try await write(1, to: lost) }?.contains("nowhere") == true)
    let trusting = try engine(cluster.addresses.authority)
    try await write(1, to: trusting)
    // More than TLS sends at once.
    let large = [UInt8](repeating: 7, count: 5_000_000)
    _ = try await trusting.perform(SyncCommit(conditions: [:], writes: [key: large]))
    #expect(try await trusting.read().items[key]?.value == large)
    #expect(try await changes(of: trusting, after: 1, count: 1).first?.writes == [key: large])
  }

  @Test("A server that does not use TLS is rejected where TLS is asked for")
  func plainServers() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine("\(cluster.postgres)?sslmode=require", namespace: "a")
    #expect(await rejection { try await write(1, to: engine) }?.contains("SSL") == true)
  }

  @Test("A server that is not there, or ends, is unreachable")
  func unreachableServers() async throws {
    let nowhere = try PostgresEngine("postgresql://a:hidden@127.0.0.1:1/a", namespace: "a")
    await #expect {
      try await write(1, to: nowhere)
    } throws: {
      if case .unreachable(let text) = $0 as? SyncError { !text.contains("hidden") } else { false }
    }
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(1, to: engine)
    let (messages, sink) = AsyncStream.makeStream(of: SyncMessage.self)
    let following = Task { try await engine.follow(after: 0) { sink.yield($0) } }
    for await _ in messages { break }
    try cluster.psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'keepsake'")
    await #expect {
      try await following.value
    } throws: {
      if case .unreachable = $0 as? SyncError { true } else { false }
    }
    try await eventually { try await write(2, to: engine) }
  }

  @Test("A request that waits for the server ends when its task is canceled, and the others go on")
  func cancellation() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(1, to: engine)
    try cluster.perform("stop postgres")
    // More than there are connections: some wait for one, some for the server to accept theirs.
    let attempts = (0..<10).map { _ in Task { try await engine.read() } }
    let follower = Task { try await engine.follow(after: 0) { _ in } }
    try await Task.sleep(for: .milliseconds(200))
    for attempt in attempts { attempt.cancel() }
    follower.cancel()
    for attempt in attempts { await #expect(throws: SyncError.self) { try await attempt.value } }
    await #expect(throws: SyncError.self) { try await follower.value }
    try cluster.perform("continue postgres")
    try await write(2, to: engine)
    #expect(try await engine.read().items[key]?.value == [2])
  }

  @Test("What cannot be used is refused where it is named, without showing it")
  func badConfigurations() {
    let uri = "postgresql://a:b@127.0.0.1/a"
    for (uri, namespace) in [
      (uri, ""), (uri, "a\u{0}"), ("", "a"), ("host=hidden", "a"), ("http://hidden/", "a"),
      ("postgresql://a:hid/den@127.0.0.1/a", "a"), ("postgresql://a:hid#den@127.0.0.1", "a"),
      ("postgresql://a:hidden%@127.0.0.1/a", "a"), ("postgresql://a:b@hidden@127.0.0.1/a", "a"),
      ("postgresql://a:hidden@h/a?b=c", "a"),
    ] {
      #expect {
        try PostgresEngine(uri, namespace: namespace)
      } throws: {
        if case .rejected(let text) = $0 as? SyncError { !text.contains("hid") } else { false }
      }
    }
  }

  @Test("A value or a key that is too large is rejected with the reason")
  func largeValues() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    let value = [UInt8](repeating: 1, count: 9_000_000)
    let text = await rejection {
      _ = try await engine.perform(SyncCommit(conditions: [:], writes: [key: value]))
    }
    #expect(text?.contains("large") == true)
    var generator = SystemRandomNumberGenerator()
    func name(_ length: Int) -> SyncKey {
      .value((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    let reason = await rejection {
      _ = try await engine.perform(SyncCommit(conditions: [:], writes: [name(5000): [1]]))
    }
    #expect(reason?.contains("54000") == true)
    #expect(try await engine.position().revision == 0)
    let longest = name(engine.limits.keyLength)
    _ = try await engine.perform(SyncCommit(conditions: [longest: 0], writes: [longest: [1]]))
  }

  @Test("Where the first host is silent, the next one is connected to")
  func silentHost() async throws {
    let cluster = try Cluster("--only", "postgres")
    // The kernel accepts connections, and nobody answers.
    let silent = try SilentServer()
    let uri = cluster.postgres.replacing("@", with: "@127.0.0.1:\(silent.port),")
    let engine = try PostgresEngine(uri, namespace: "a")
    let store = DurableStoreModel(origin: "here")
    let driver = SyncDriver(store, engine: engine, timing: SyncTiming())
    store.set([7], for: SettingsName("a"))
    await driver.start()
    try await driver.sent()
    #expect(try await PostgresEngine(cluster.postgres, namespace: "a").read().items.count == 2)
    await driver.end()
  }

  @Test("Who does not read what was asked for holds up no commit")
  func stalledReader() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    // More than the kernel keeps for who does not read.
    let keys = (0..<5).map { SyncKey.value([2, $0]) }
    for key in keys {
      let value = [UInt8](repeating: 7, count: 7_000_000)
      _ = try await engine.perform(SyncCommit(conditions: [:], writes: [key: value]))
    }
    let port = try #require(
      URLComponents(string: cluster.postgres).flatMap(\.port), "\(cluster.postgres)")
    let proxy = try StallingProxy(to: port, after: 1_000_000)
    let reader = try PostgresEngine(
      cluster.postgres.replacing(":\(port)", with: ":\(proxy.port)"), namespace: "a")
    let conditions = Dictionary(uniqueKeysWithValues: keys.map { ($0, UInt64(99)) })
    let reading = Task {
      try await reader.perform(SyncCommit(conditions: conditions, writes: [key: [1]]))
    }
    defer { reading.cancel() }
    func isStalled() throws -> Bool {
      try !cluster.psql("SELECT pid FROM pg_stat_activity WHERE wait_event = 'ClientWrite'").isEmpty
    }
    try await eventually { try isStalled() ? true : nil }
    try await write(2, to: engine)
    #expect(try isStalled())
    // Nor do many conditions.
    let answer = try cluster.psql(
      """
      SELECT count(*) FROM keepsake.commit(
        1, 'a', '{v}', ARRAY[decode('0200', 'hex')], '{99}', '{}', '{}', '{}', 0, 0)
      """)
    #expect(answer == "1\n")
  }

  @Test("A host that takes commits no longer is left for one that does")
  func readOnlyHost() async throws {
    let (first, second) = try (Cluster("--only", "postgres"), Cluster("--only", "postgres"))
    let host = try #require(second.postgres.split(separator: "@").last?.split(separator: "/").first)
    let engine = try PostgresEngine(
      first.postgres.replacing("/postgres", with: ",\(host)/postgres"), namespace: "a")
    try await write(1, to: engine)
    let other = try PostgresEngine(second.postgres, namespace: "a")
    #expect(try await other.position().revision == 0)
    // One that only reads.
    let reader = try PostgresEngine(
      first.postgres.replacing("/postgres", with: ",\(host)/postgres"), namespace: "a")
    #expect(try await reader.position().revision == 1)
    try first.psql(
      "ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    try await eventually {
      try await write(2, to: engine)
      return try await other.position().revision > 0 ? true : nil
    }
    #expect(try await other.read().items[key]?.value == [2])
    let position = try await other.position()
    try await eventually { (try? await reader.position()) == position ? true : nil }
  }

  @Test("A commit that somebody has logged with keys that have no contents ends no program")
  func malformedCommit() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    try await write(1, to: engine)
    try cluster.psql(
      """
      SELECT keepsake.commit(1, 'a', '{}', '{}', '{}', '{v}', ARRAY['b', 'c']::bytea[],
        ARRAY[NULL, NULL]::bytea[], 2, 2)
      """)
    let text = await rejection { _ = try await changes(of: engine, after: 1, count: 1) }
    #expect(text?.contains("keepsake.commits") == true)
  }

  @Test("An array of several dimensions that somebody has logged ends no program")
  func severalDimensions() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    for value: UInt8 in 1...2 { try await write(value, to: engine) }
    try cluster.psql(
      "UPDATE keepsake.commits SET keys = ARRAY[['a'], ['b']]::bytea[] WHERE revision = 2")
    let text = await rejection { _ = try await changes(of: engine, after: 1, count: 1) }
    #expect(text?.contains("dimensions") == true)
  }

  @Test("A table that was changed since a connection was made is read again")
  func changedTable() async throws {
    let cluster = try Cluster("--only", "postgres")
    let engine = try PostgresEngine(cluster.postgres, namespace: "a")
    for _ in 0..<2 { _ = try await engine.position() }
    try cluster.psql("ALTER TABLE keepsake.layout ALTER version TYPE bigint")
    _ = try await engine.position()
  }

  /// The first commits that a follower receives.
  private func changes(
    of engine: PostgresEngine, after revision: UInt64, count: Int
  ) async throws -> [SyncChange] {
    let (messages, sink) = AsyncThrowingStream.makeStream(of: SyncChange.self)
    let following = Task {
      do throws(SyncError) {
        try await engine.follow(after: revision) { message in
          if case .change(let change) = message { sink.yield(change) }
        }
      } catch {
        sink.finish(throwing: error)
      }
    }
    defer { following.cancel() }
    var changes: [SyncChange] = []
    for try await change in messages {
      changes.append(change)
      if changes.count == count { break }
    }
    return changes
  }

  /// What an attempt returns, once it returns something and does not fail.
  @discardableResult
  private func eventually<Value>(_ attempt: () async throws -> Value?) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      do {
        if let value = try await attempt() { return value }
        try #require(.now < deadline, "It does not come.")
      } catch {
        if .now > deadline { throw error }
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
