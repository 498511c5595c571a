import Foundation
import KeepsakeBase
import KeepsakeEtcd
import KeepsakeSync
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@Suite("A namespace in etcd", .serialized, .timeLimit(.minutes(5)), .enabled(if: Cluster.hasEtcd))
struct EtcdEngineTests {
  private let key = SyncKey.value([1])

  private func write(_ value: UInt8, to engine: EtcdEngine) async throws(SyncError) {
    _ = try await engine.perform(SyncCommit(conditions: [:], writes: [key: [value]]))
  }

  /// Runs etcdctl, and returns what it prints.
  @discardableResult
  private func etcdctl(_ arguments: String..., on cluster: Cluster) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/etcdctl")
    process.arguments = ["--endpoints=\(cluster.etcd[0])"] + arguments
    process.environment = ["ETCDCTL_API": "3"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("It does what an engine must do")
  func conformance() async throws {
    let cluster = try Cluster("--only", "etcd")
    let makeEngine = { @Sendable [etcd = cluster.etcd] namespace in
      try EtcdEngine(EtcdCluster(endpoints: etcd), namespace: namespace)
    }
    let conformance = SyncEngineConformance(
      forgetCommits: { namespace in
        let revision = try await makeEngine(namespace).position().engineRevision
        try etcdctl("compaction", "\(revision)", on: cluster)
      }, makeEngine)
    #expect(try await conformance.violations() == [])
  }

  @Test("The revision that everything has, of all namespaces, is told beside the last commit's")
  func engineRevision() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    let other = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "b")
    try await write(1, to: engine)
    try await write(1, to: other)
    let (snapshot, position) = (try await engine.read(), try await engine.position())
    #expect(position.revision < snapshot.revision)
    #expect(position.engineRevision == snapshot.revision)
  }

  @Test("A person finds the values under their names, and can change them")
  func readableKeys() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "team/hiit")
    let key = SyncKey.value(Array("units".utf8))
    _ = try await engine.perform(
      SyncCommit(conditions: [:], writes: [key: Array("metric".utf8)]))
    #expect(
      try etcdctl("get", "--prefix", "team%2Fhiit/", on: cluster)
        == "team%2Fhiit/head\nkeepsake 1\nteam%2Fhiit/values/units\nmetric\n")
    try etcdctl("put", "team%2Fhiit/values/units", "imperial", on: cluster)
    let item = try #require(try await engine.read().items[key])
    #expect(item.value == Array("imperial".utf8))
    // What the article says that a person does then.
    try etcdctl("put", "team%2Fhiit/head", "keepsake 1", on: cluster)
    #expect(try await engine.position().revision == item.revision + 1)
  }

  @Test("What etcd has forgotten is asked for in vain")
  func compaction() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    for number in UInt8(0)..<10 { try await write(number, to: engine) }
    try etcdctl("compaction", "8", on: cluster)
    await #expect(throws: SyncError.compacted) { try await engine.follow(after: 3) { _ in } }
  }

  @Test("Who is far behind receives each commit as a whole, though it comes in parts")
  func largeBacklog() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    let value = [UInt8](repeating: 1, count: 400_000)
    let writes: [SyncKey: [UInt8]?] = [.value([1]): value, .value([2]): value, .value([3]): value]
    for _ in 0..<5 { _ = try await engine.perform(SyncCommit(conditions: [:], writes: writes)) }
    let (messages, sink) = AsyncStream.makeStream(of: SyncMessage.self)
    let following = Task { try await engine.follow(after: 1) { sink.yield($0) } }
    defer { following.cancel() }
    var count = 0
    for await message in messages {
      guard case .change(let change) = message, !change.writes.isEmpty else { continue }
      #expect(change.writes == writes)
      count += 1
      if count == 5 { break }
    }
  }

  @Test("A namespace that another version has written is left alone")
  func otherFormat() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    try await write(1, to: engine)
    try etcdctl("put", "a/head", "keepsake 2", on: cluster)
    for attempt in [
      { _ = try await engine.read() }, { try await write(2, to: engine) },
      { try await engine.follow(after: 1) { _ in } },
    ] {
      await #expect {
        try await attempt()
      } throws: {
        if case .rejected(let text) = $0 as? SyncError {
          text.contains("keepsake 2")
        } else {
          false
        }
      }
    }
  }

  @Test("A head that was written wrongly, and corrected since, holds up nobody who was away")
  func correctedFormat() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    try await write(1, to: engine)
    let start = try await engine.position().revision
    try etcdctl("put", "a/head", "keepsake1", on: cluster)
    try etcdctl("put", "a/head", "keepsake 1", on: cluster)
    try await write(2, to: engine)
    let received = Mutex<[[UInt8]]>([])
    let following = Task {
      try await engine.follow(after: start) { message in
        guard case .change(let change) = message else { return }
        for case let value? in change.writes.values { received.withLock { $0.append(value) } }
      }
    }
    try await eventually {
      guard received.withLock({ $0 }) == [[2]] else {
        throw SyncError.unreachable("It did not come.")
      }
    }
    following.cancel()
  }

  /// Has a cluster ask for passwords.
  private func signedIn(_ user: String, on cluster: Cluster) throws -> EtcdCluster {
    try etcdctl("user", "add", "root:secret", on: cluster)
    try etcdctl("user", "grant-role", "root", "root", on: cluster)
    try etcdctl("auth", "enable", on: cluster)
    var configuration = EtcdCluster(endpoints: cluster.etcd)
    configuration.credentials = EtcdCluster.Credentials(user: user, password: "secret")
    return configuration
  }

  @Test("It signs in, and again when the cluster has forgotten it; not with a wrong password")
  func authentication() async throws {
    let cluster = try Cluster("--only", "etcd")
    var configuration = try signedIn("root", on: cluster)
    let engine = try EtcdEngine(configuration, namespace: "a")
    try await write(1, to: engine)
    // Members forget their tokens when they start.
    for node in ["etcd1", "etcd2", "etcd3"] { try cluster.perform("kill \(node)") }
    for node in ["etcd1", "etcd2", "etcd3"] { try cluster.perform("start \(node)") }
    try await eventually { try await write(2, to: engine) }
    configuration.credentials = EtcdCluster.Credentials(user: "root", password: "wrong")
    let stranger = try EtcdEngine(configuration, namespace: "a")
    await #expect(throws: SyncError.self) { try await write(3, to: stranger) }
    let nobody = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    await #expect(throws: SyncError.self) { try await write(4, to: nobody) }
    #expect(try await engine.read().items[key]?.value == [2])
  }

  @Test("Credentials are used as soon as the cluster asks for them, and not while it does not")
  func authenticationThatIsOff() async throws {
    let cluster = try Cluster("--only", "etcd")
    var configuration = EtcdCluster(endpoints: [cluster.etcd[0]])
    configuration.credentials = EtcdCluster.Credentials(user: "root", password: "secret")
    let engine = try EtcdEngine(configuration, namespace: "a")
    try await write(1, to: engine)
    _ = try signedIn("root", on: cluster)
    try await write(2, to: engine)
    try etcdctl("--user=root:secret", "auth", "disable", on: cluster)
    try await write(3, to: engine)
    #expect(try await engine.read().items[key]?.value == [3])
  }

  @Test("Who may only read receives, and may ask for what some keys have")
  func readers() async throws {
    let cluster = try Cluster("--only", "etcd")
    let writer = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    try await write(1, to: writer)
    try etcdctl("role", "add", "reader", on: cluster)
    try etcdctl("role", "grant-permission", "--prefix=true", "reader", "read", "a/", on: cluster)
    try etcdctl("user", "add", "guest:secret", on: cluster)
    try etcdctl("user", "grant-role", "guest", "reader", on: cluster)
    let reader = try EtcdEngine(signedIn("guest", on: cluster), namespace: "a")
    let revision = try await reader.position().revision
    let found = try await reader.perform(
      SyncCommit(conditions: [key: UInt64(Int64.max)], writes: [:]))
    #expect(found == .refused(current: [key: SyncItem(value: [1], revision: revision)]))
    await #expect {
      try await write(2, to: reader)
    } throws: { error in
      if case .rejected(let text) = error as? SyncError {
        cluster.etcd.contains { text.hasPrefix($0) } && text.contains("permission denied")
      } else {
        false
      }
    }
    #expect(try await reader.position().revision == revision)
    // Without the values, also where the head may be read.
    try etcdctl(
      "--user=root:secret", "role", "revoke-permission", "--prefix=true", "reader", "a/",
      on: cluster)
    try etcdctl(
      "--user=root:secret", "role", "grant-permission", "reader", "read", "a/head", on: cluster)
    await #expect {
      try await reader.follow(after: revision) { _ in }
    } throws: { error in
      if case .rejected = error as? SyncError { true } else { false }
    }
    // Those of assets.
    let blobs = SyncCommit(conditions: [.blob("x"): UInt64(Int64.max)], writes: [:])
    await #expect(throws: SyncError.self) { try await reader.perform(blobs) }
    try etcdctl(
      "--user=root:secret", "role", "grant-permission", "--prefix=true", "reader", "read",
      "a%blobs/", on: cluster)
    #expect(try await reader.perform(blobs) == .refused(current: [:]))
  }

  @Test("Members must show a certificate of an authority that is trusted")
  func certificates() async throws {
    let cluster = try Cluster("--only", "etcd", "--tls")
    var configuration = EtcdCluster(endpoints: cluster.etcd)
    let distrusting = try EtcdEngine(configuration, namespace: "a")
    await #expect {
      try await write(1, to: distrusting)
    } throws: {
      if case .rejected = $0 as? SyncError { true } else { false }
    }
    configuration.authorities = cluster.addresses.authority
    let engine = try EtcdEngine(configuration, namespace: "a")
    try await write(1, to: engine)
    #expect(try await engine.read().items[key]?.value == [1])
  }

  @Test("A member whose certificate is that of another host is left for the next one")
  func otherHost() async throws {
    let cluster = try Cluster("--only", "etcd", "--tls")
    let other = cluster.etcd[0].replacing("127.0.0.1", with: "[::ffff:127.0.0.1]")
    var configuration = EtcdCluster(endpoints: [other, cluster.etcd[1]])
    configuration.authorities = cluster.addresses.authority
    let engine = try EtcdEngine(configuration, namespace: "a")
    try await write(1, to: engine)
    #expect(try await engine.read().items[key]?.value == [1])
    configuration.endpoints = [other]
    let alone = try EtcdEngine(configuration, namespace: "a")
    await #expect {
      try await write(1, to: alone)
    } throws: {
      if case .rejected = $0 as? SyncError { true } else { false }
    }
  }

  @Test("A client shows the certificate that it was given")
  func clientCertificates() async throws {
    let cluster = try Cluster("--only", "etcd", "--client-certificates")
    var configuration = EtcdCluster(endpoints: cluster.etcd)
    configuration.authorities = cluster.addresses.authority
    let stranger = try EtcdEngine(configuration, namespace: "a")
    await #expect {
      try await write(1, to: stranger)
    } throws: {
      if case .rejected(let text) = $0 as? SyncError { text.contains("identity") } else { false }
    }
    configuration.identity = (
      certificate: try #require(cluster.addresses.certificate),
      key: try #require(cluster.addresses.key)
    )
    let engine = try EtcdEngine(configuration, namespace: "a")
    try await write(1, to: engine)
    #expect(try await engine.read().items[key]?.value == [1])
  }

  @Test("What cannot be used is refused where it is named")
  func badConfigurations() {
    #expect(throws: SyncError.self) { try EtcdEngine(EtcdCluster(endpoints: []), namespace: "a") }
    let endpoints = ["https://127.0.0.1:1"]
    #expect(throws: SyncError.self) {
      try EtcdEngine(EtcdCluster(endpoints: endpoints), namespace: "")
    }
    func rejection(_ change: (inout EtcdCluster) -> Void) -> String? {
      var configuration = EtcdCluster(endpoints: endpoints)
      change(&configuration)
      do { _ = try EtcdEngine(configuration, namespace: "a") } catch { return "\(error)" }
      return nil
    }
    #expect(
      rejection { $0.identity = (certificate: "/nowhere.pem", key: "/nowhere.key") }?
        .contains("/nowhere.pem") == true)
    #expect(rejection { $0.authorities = "/nowhere.pem" }?.contains("/nowhere.pem") == true)
    // It would be asked, and shown the password, in the clear.
    let mixed = rejection {
      $0.endpoints.append("http://127.0.0.1:2")
      $0.authorities = "/nowhere.pem"
    }
    #expect(mixed?.contains("http://127.0.0.1:2") == true)
    let secret = rejection { $0.endpoints = ["http://root:s3cret@127.0.0.1:1"] }
    #expect(secret?.contains("s3cret") == false)
  }

  @Test("A slash after an endpoint is no part of what is asked for")
  func slash() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(
      EtcdCluster(endpoints: cluster.etcd.map { $0 + "/" }), namespace: "a")
    try await write(1, to: engine)
    #expect(try await engine.read().items[key]?.value == [1])
  }

  @Test("What is not an address is rejected before it is asked")
  func addresses() throws {
    for endpoint in [
      "127.0.0.1:2379", "localhost", "", "http://", "http://:2379", "unix:///etcd",
      "http://a:2379,http://b:2379", "http://a b:2379", "http://10.0.0.5:99999", "http://a:client",
      "http://[::1]:0", "http://a:1:2", "http://a:",
    ] {
      let endpoints = ["http://127.0.0.1:1", endpoint]
      #expect {
        try EtcdEngine(EtcdCluster(endpoints: endpoints), namespace: "a")
      } throws: {
        if case .rejected(let text) = $0 as? SyncError {
          text.contains("'\(endpoint)'")
        } else {
          false
        }
      }
    }
    for endpoint in ["HTTPS://etcd1:2379", "http://[::1]:2379", "http://etcd.example/a:b"] {
      _ = try EtcdEngine(EtcdCluster(endpoints: [endpoint]), namespace: "a")
    }
  }

  @Test("An error says which member cannot be reached, and why")
  func unreachable() async throws {
    let engine = try EtcdEngine(
      EtcdCluster(endpoints: ["http://127.0.0.1:1"]), namespace: "a")
    await #expect(throws: SyncError.unreachable("http://127.0.0.1:1: Connection refused.")) {
      try await engine.position()
    }
  }

  @Test("A value that is too large is rejected with the reason")
  func largeValues() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    let value = [UInt8](repeating: 1, count: 3_000_000)
    await #expect {
      try await engine.perform(SyncCommit(conditions: [:], writes: [key: value]))
    } throws: {
      if case .rejected(let text) = $0 as? SyncError { text.contains("large") } else { false }
    }
  }

  private func eventually(_ attempt: () async throws -> Void) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      do { return try await attempt() } catch { if .now > deadline { throw error } }
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  @Test("What etcd leaves out at the revision of a compaction is not missed")
  func compactedRemoval() async throws {
    let cluster = try Cluster("--only", "etcd")
    let engine = try EtcdEngine(EtcdCluster(endpoints: cluster.etcd), namespace: "a")
    try await write(1, to: engine)
    let known = try await engine.position().revision
    let removal = SyncCommit(conditions: [:], writes: [key: nil])
    guard case .committed(let revision) = try await engine.perform(removal) else {
      Issue.record("the removal was refused")
      return
    }
    try etcdctl("compaction", "\(revision)", on: cluster)
    await #expect(throws: SyncError.compacted) { try await engine.follow(after: known) { _ in } }
  }
}
