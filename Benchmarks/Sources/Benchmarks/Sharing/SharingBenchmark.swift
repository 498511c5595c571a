import Foundation
import Keepsake
import KeepsakeEtcd
import KeepsakePostgres

/// What settings that several machines share cost beside the engine that they share them through.
enum SharingBenchmark: Benchmark {
  static let name = "sharing"
  private static let writers = 32
  private static let key = SettingsKey(Fixture.numberKey, default: 0)

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let cluster = try ClusterProcess("etcd")
    let store = try shared("sharing", cluster, in: workspace)
    try await store.synchronize(.everywhere)
    let rows =
      try await acknowledged(options, store, cluster)
      + noticed(options, store, cluster, in: workspace)
      + joined(options, cluster, in: workspace)
      + joinedDocuments(options, cluster, in: workspace)
      + offline(options, in: workspace)
    try cluster.end()
    return try await rows + acknowledgedByPostgres(options, in: workspace)
  }

  private static func shared(
    _ name: String, _ cluster: ClusterProcess, namespace: String = "benchmark", count: Int = 0,
    in workspace: Workspace
  ) throws -> SettingsStore {
    let store = try Fixture(count: count).store(name, in: workspace)
    try store.share(through: .etcd(cluster.endpoints, namespace: namespace))
    return store
  }

  // MARK: A change that all machines have

  private static func acknowledged(
    _ options: Options, _ store: SettingsStore, _ cluster: ClusterProcess
  ) async throws -> [Row] {
    let client = EtcdClient(endpoint: cluster.endpoints[0])
    let keepsake: @Sendable (Int, Int) async throws -> Void = { writer, number in
      try store.set(number, for: SettingsKey(Fixture.name(writer), default: 0))
      try await store.synchronize(.everywhere)
    }
    let etcd: @Sendable (Int, Int) async throws -> Void = { writer, number in
      try await client.put("<integer>\(number)</integer>", at: "raw/\(writer)")
    }
    // What no client can do without that must write once, and see what others write.
    let (events, sink) = AsyncStream.makeStream(of: Void.self)
    let watching = Task { try await client.watch(prefix: "raw/once") { _ in sink.yield() } }
    for await _ in events { break }
    let last = LastRevision()
    let once: @Sendable (Int, Int) async throws -> Void = { _, number in
      let value = "<integer>\(number)</integer>"
      await last.set(try await client.replace(value, at: "raw/once", after: last.revision))
    }
    defer { watching.cancel() }
    let measurements = try await options.rounds.run([
      Contestant("Keepsake, everywhere", 1, keepsake),
      Contestant("etcd put", 1, etcd),
      Contestant("etcd, written once and watched", 1, once),
      Contestant("Keepsake, 32 writers", writers, keepsake),
      Contestant("etcd put, 32 writers", writers, etcd),
    ])
    return measurements.rows(
      "a change in the cluster", reference: "etcd put",
      targets: [
        Target(name: "Keepsake, everywhere", limit: .times(1.3, of: "etcd put")),
        Target(
          name: "Keepsake, 32 writers", limit: .asFast(0.8, as: "etcd put, 32 writers")),
      ])
  }

  private static func acknowledgedByPostgres(
    _ options: Options, in workspace: Workspace
  ) async throws -> [Row] {
    let cluster = try ClusterProcess("postgres")
    let store = try Fixture(count: 0).store("sharing-postgres", in: workspace)
    try store.share(through: .postgres(cluster.database, namespace: "benchmark"))
    try await store.synchronize(.everywhere)
    let keepsake: @Sendable (Int, Int) async throws -> Void = { writer, number in
      try store.set(number, for: SettingsKey(Fixture.name(writer), default: 0))
      try await store.synchronize(.everywhere)
    }
    let pgbench = try Pgbench(database: cluster.database)
    let measurements = try await options.rounds.run([
      Contestant("Keepsake, everywhere", 1, keepsake),
      Contestant(name: "pgbench, one row", batch: 200) { try pgbench.run(clients: 1, count: $0) },
      Contestant("Keepsake, 32 writers", writers, keepsake),
      Contestant(name: "pgbench, 32 writers", batch: 100) {
        try pgbench.run(clients: writers, count: $0)
      },
    ])
    try cluster.end()
    return measurements.rows(
      "a change in the database of PostgreSQL", reference: "pgbench, one row", targets: [])
  }

  private actor LastRevision {
    private(set) var revision = 0

    func set(_ revision: Int) { self.revision = revision }
  }

  // MARK: A change that another machine has made

  private static func noticed(
    _ options: Options, _ store: SettingsStore, _ cluster: ClusterProcess, in workspace: Workspace
  ) async throws -> [Row] {
    let other = try shared("sharing-other", cluster, in: workspace)
    try await other.synchronize(.everywhere)
    // Both are connected to the same node, as the client that puts is.
    let client = EtcdClient(endpoint: cluster.endpoints[0])
    let (events, sink) = AsyncStream.makeStream(of: String.self)
    let watching = Task { try await client.watch(prefix: "raw/watched") { sink.yield($0) } }
    for await _ in events { break }

    let measurements = try await options.rounds.run([
      Contestant(name: "Keepsake, values(of:) elsewhere", batch: 15) { count in
        var latencies: [Double] = []
        for number in Numbers.take(count) {
          try await Task.sleep(for: .milliseconds(2))
          let start = Clock.wall.now
          try store.set(number, for: key)
          for await value in other.values(of: key) where value == number { break }
          latencies.append(Clock.wall.now - start)
        }
        return latencies.quantile(0.5)
      },
      Contestant(name: "etcd put and watch", batch: 15) { count in
        var latencies: [Double] = []
        for number in Numbers.take(count) {
          try await Task.sleep(for: .milliseconds(2))
          let start = Clock.wall.now
          async let putting: Void = client.put("\(number)", at: "raw/watched")
          let text = Data("\(number)".utf8).base64EncodedString()
          for await event in events where event.contains(text) { break }
          latencies.append(Clock.wall.now - start)
          try await putting
        }
        return latencies.quantile(0.5)
      },
    ])
    watching.cancel()
    return measurements.rows(
      "a change seen on another machine", reference: "etcd put and watch",
      targets: [
        Target(
          name: "Keepsake, values(of:) elsewhere", limit: .times(1.5, of: "etcd put and watch"))
      ])
  }

  // MARK: A machine that joins

  private static func joined(
    _ options: Options, _ cluster: ClusterProcess, in workspace: Workspace
  ) async throws -> [Row] {
    let count = options.isQuick ? 1000 : 100_000
    let first = try shared(
      "sharing-first", cluster, namespace: "many", count: count, in: workspace)
    try await first.synchronize(.everywhere)
    let endpoints = cluster.endpoints
    return try await joined("settings", count: count, options, cluster, namespace: "many") {
      let container = workspace.container("sharing-\(Numbers.take(1))")
      let start = Clock.wall.now
      let store = try SettingsStore(container: container, arguments: [])
      try store.share(through: .etcd(endpoints, namespace: "many"))
      for await status in store.syncStatus where status.state == .current { break }
      return (Clock.wall.now - start, store.names.count)
    }
  }

  private struct Card: Codable, Identifiable {
    var id: String
    var text: String
  }

  private static func joinedDocuments(
    _ options: Options, _ cluster: ClusterProcess, in workspace: Workspace
  ) async throws -> [Row] {
    let count = options.isQuick ? 200 : 10_000
    let endpoints = cluster.endpoints
    @Sendable func shared(_ name: String) throws -> DocumentStore<Card> {
      try DocumentStore<Card>(
        directory: workspace.container(name).documents, pathExtension: "card",
        sync: .etcd(endpoints, namespace: "cards"))
    }
    let first = try shared("sharing-cards")
    let text = String(repeating: "2 KB. ", count: 330)
    try first.save((0..<count).map { Card(id: "\($0)", text: "\($0): \(text)") })
    try await first.synchronize(.everywhere)
    return try await joined("documents", count: count, options, cluster, namespace: "cards") {
      let start = Clock.wall.now
      let store = try shared("sharing-cards-\(Numbers.take(1))")
      for await status in store.syncStatus where status.state == .current { break }
      return (Clock.wall.now - start, try store.ids().count)
    }
  }

  /// - Parameter join: Has a machine join, and returns the seconds that took, and how many items it has.
  private static func joined(
    _ items: String, count: Int, _ options: Options, _ cluster: ClusterProcess, namespace: String,
    join: @escaping @Sendable () async throws -> (seconds: Double, count: Int)
  ) async throws -> [Row] {
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.endpoints), namespace: namespace)
    func check(_ found: Int, _ who: String) throws {
      if found < count { throw Missing(description: "\(who) has \(found) of \(count) \(items)") }
    }
    let measurements = try await options.rounds.run([
      Contestant(name: "Keepsake, joins", batch: 1) { _ in
        let joined = try await join()
        try check(joined.count, "a machine that has joined")
        return joined.seconds
      },
      Contestant(name: "etcd range", batch: 1) { _ in
        let start = Clock.wall.now
        let found = try await engine.read().items.count
        let seconds = Clock.wall.now - start
        try check(found, "the engine")
        return seconds
      },
    ])
    return measurements.rows(
      "\(count) \(items) on a new machine", reference: "etcd range",
      targets: [Target(name: "Keepsake, joins", limit: .times(1.5, of: "etcd range"))])
  }

  private struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: A change while the engine does not answer

  private static func offline(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let alone = try Fixture(count: 1000).store("sharing-alone", in: workspace)
    let offline = try Fixture(count: 1000).store("sharing-offline", in: workspace)
    try offline.share(through: .etcd(["http://127.0.0.1:1"], namespace: "offline"))
    let contestants = [("Keepsake, not shared", alone), ("Keepsake, offline", offline)]
    let measurements = try await options.rounds.run(
      contestants.map { name, store in
        Contestant(name: name) { count in
          try Clock.wall.time(of: count) { try store.set($0, for: key) }
        }
      })
    return measurements.rows(
      "set", reference: "Keepsake, not shared",
      targets: [
        Target(name: "Keepsake, offline", limit: .times(1.1, of: "Keepsake, not shared"))
      ])
  }
}
