import Foundation
import KeepsakeSync
import Testing

@testable import KeepsakeEtcd

@Suite("What etcd's gateway answers", .timeLimit(.minutes(1)))
struct EtcdGatewayTests {
  private let key = SyncKey.value([1])
  private static let head = pair("a/head", "keepsake 1", revision: 7)

  /// A pair of etcd's in JSON.
  private static func pair(_ key: String, _ value: String, revision: Int) -> String {
    let (key, value) = (
      Data(key.utf8).base64EncodedString(), Data(value.utf8).base64EncodedString()
    )
    return #"{"key":"\#(key)","mod_revision":"\#(revision)","value":"\#(value)"}"#
  }

  private static func header(_ revision: Int) -> String {
    #""header":{"cluster_id":"1","revision":"\#(revision)"}"#
  }

  private func client(of gateway: ScriptedGateway) throws -> EtcdEngine {
    try EtcdEngine(EtcdCluster(endpoints: [gateway.endpoint]), namespace: "a")
  }

  @Test(
    "A commit for which there is no space is rejected if its conditions say that it was not made",
    arguments: [true, false])
  func noSpace(wasMade: Bool) async throws {
    let other = SyncKey.value([2])
    // That of another key, and that there is nothing to remove, are met also afterwards.
    for (conditions, write, isKnown) in [
      ([key: 6], [1], true), ([key: 0], [1], true), ([key: 6], nil, true),
      ([key: 0], nil, false), ([other: 6], [1], false), ([:], [1], false),
    ] as [([SyncKey: UInt64], [UInt8]?, Bool)] {
      let revision = !wasMade ? conditions[key] ?? 0 : write == nil ? 0 : 7
      let gateway = try ScriptedGateway { request in
        if request.path != "/v3/kv/range" {
          return .init(
            status: 429,
            body: #"{"message":"etcdserver: mvcc: database space exceeded","code":8}"#)
        }
        let found =
          revision == 0 ? "" : Self.pair("a/values/\u{1}", "x", revision: Int(revision))
        return .init(body: #"{\#(Self.header(7)),"kvs":[\#(found)]}"#)
      }
      // A put makes the request one that needs space.
      let commit = SyncCommit(
        conditions: conditions, writes: [key: write, SyncKey.value([3]): [1]])
      await #expect {
        try await client(of: gateway).perform(commit)
      } throws: {
        switch $0 as? SyncError {
        case .rejected(let text): !wasMade && isKnown && text.contains("space exceeded")
        case .unreachable(let text): (wasMade || !isKnown) && text.contains("space exceeded")
        default: false
        }
      }
      withExtendedLifetime(gateway) {}
    }
  }

  @Test("A page that is too long, as where large values follow small ones, is asked for again")
  func longPage() async throws {
    let value = String(repeating: "x", count: 200)
    let names = (0..<2_400).map { "a/values/\(10_000 + $0)" }
    let (asked, sink) = AsyncStream.makeStream(of: [Int].self)
    let gateway = try ScriptedGateway { request in
      func text(of key: String) -> String? {
        let parts = request.body.components(separatedBy: "\"\(key)\":\"")
        return parts.count < 2 ? nil : parts[1].components(separatedBy: "\"")[0]
      }
      let key = text(of: "key").flatMap { Data(base64Encoded: $0) } ?? Data()
      let limit = text(of: "limit").flatMap { Int($0) } ?? 0
      let first = names.firstIndex { $0 > String(decoding: key, as: UTF8.self) } ?? names.count
      sink.yield([first, limit])
      let pairs = names.indices.dropFirst(first).prefix(limit).map {
        Self.pair(names[$0], $0 < 600 ? "" : value, revision: 7)
      }
      let more = first + limit < names.count
      return .init(
        body: #"{\#(Self.header(7)),"more":\#(more),"kvs":[\#(pairs.joined(separator: ","))]}"#)
    }
    let snapshot = try await client(of: gateway).read(pageLength: 200_000)
    #expect(snapshot.items.count == names.count)
    sink.finish()
    let requests = await asked.reduce(into: []) { $0.append($1) }
    #expect(requests.prefix(4) == [[0, 100], [100, 400], [500, 1600], [500, 200]])
    withExtendedLifetime(gateway) {}
  }

  @Test("A member that is behind the one that was asked does not look like one that was set back")
  func memberBehind() async throws {
    for cluster in ["1", "2"] {
      let gateway = try ScriptedGateway { request in
        guard request.path == "/v3/watch" else {
          return .init(body: #"{\#(Self.header(9)),"kvs":[\#(Self.head)]}"#)
        }
        return .init(
          body: #"{"result":{"header":{"cluster_id":"\#(cluster)","revision":"5"},"created":true}}"#
            + "\n")
      }
      let engine = try client(of: gateway)
      let (opened, sink) = AsyncStream.makeStream(of: UInt64.self)
      do {
        try await engine.follow(after: 6) { message in
          if case .opened(let position) = message { sink.yield(position.engineRevision) }
        }
      } catch { #expect(cluster == "2") }
      sink.finish()
      #expect(await opened.reduce(into: []) { $0.append($1) } == (cluster == "1" ? [9] : []))
      withExtendedLifetime(gateway) {}
    }
  }

  @Test("A commit that comes in parts is received as a whole")
  func fragments() async throws {
    func event(_ key: UInt8, _ revision: Int) -> String {
      let name = "a/values/" + String(UnicodeScalar(key))
      return #"{"kv":\#(Self.pair(name, "x", revision: revision))}"#
    }
    func message(_ events: String..., isFragment: Bool) -> String {
      let events = events.joined(separator: ",")
      return #"{"result":{\#(Self.header(9)),"fragment":\#(isFragment),"events":[\#(events)]}}"#
    }
    let messages = [
      #"{"result":{\#(Self.header(9)),"created":true}}"#,
      message(event(1, 7), event(2, 7), event(1, 8), isFragment: true),
      message(event(2, 8), isFragment: true),
      message(event(3, 8), event(1, 9), isFragment: false),
    ]
    let gateway = try ScriptedGateway { request in
      guard request.path == "/v3/watch" else {
        return .init(body: #"{\#(Self.header(9)),"kvs":[\#(Self.head)]}"#)
      }
      guard request.body.contains(#""fragment":true"#) else {
        return .init(status: 500, body: #"{"message":"not asked for parts","code":2}"#)
      }
      return .init(body: messages.joined(separator: "\n") + "\n")
    }
    let engine = try client(of: gateway)
    let (received, sink) = AsyncStream.makeStream(of: SyncMessage.self)
    try await engine.follow(after: 6) { sink.yield($0) }
    sink.finish()
    var changes: [SyncChange] = []
    for await message in received {
      if case .change(let change) = message { changes.append(change) }
    }
    let value = Array("x".utf8)
    #expect(
      changes == [
        SyncChange(revision: 7, writes: [.value([1]): value, .value([2]): value]),
        SyncChange(
          revision: 8, writes: [.value([1]): value, .value([2]): value, .value([3]): value]),
        SyncChange(revision: 9, writes: [.value([1]): value]),
      ])
    withExtendedLifetime(gateway) {}
  }
}
