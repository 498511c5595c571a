import Foundation
import HTTPTypes
import KeepsakeSecrets
import Testing

@testable import Requests

@Suite("The bearer token") struct BearerTokenTests {
  typealias Tokens = BearerTokenAdapter.Tokens

  let secrets = SecretStore.inMemory()

  /// A client whose server accepts the last token that was made.
  func client(
    accepting valid: Box<String>, refresh: @escaping @Sendable (Tokens) async throws -> Tokens
  ) throws -> (RequestClient, FakeServer) {
    let server = FakeServer { request in
      // All are on their way before the first is refused.
      try await Task.sleep(for: .milliseconds(20))
      return request.token == "Bearer \(valid.value)"
        ? IncomingResponse(.ok, Array("1".utf8)) : IncomingResponse(.unauthorized)
    }
    try secrets.set(Tokens(access: "old", refresh: "r0"), for: "api")
    let adapter = BearerTokenAdapter(
      secrets, name: "api", for: { "https://api.example" }, refresh: refresh)
    return (
      RequestClient(adapters: [FixedHost(name: "api.example"), adapter], transport: server), server
    )
  }

  @Test("is refreshed once when many requests are refused together, and kept") func refresh()
    async throws
  {
    let valid = Box("new")
    let refreshed = Box<[String]>([])
    let (client, server) = try client(accepting: valid) { tokens in
      refreshed.change { $0.append(tokens.refresh) }
      try await Task.sleep(for: .milliseconds(50))
      return Tokens(access: "new", refresh: "r1")
    }
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await client.send(Request<Int>(path: "x")) } }
      return try await group.reduce(0, +)
    }
    #expect(sum == 50)
    #expect(refreshed.value == ["r0"])
    #expect(server.requests.count == 100)
    #expect(try secrets.value(for: "api") == Tokens(access: "new", refresh: "r1"))
    #expect(try await client.send(Request<Int>(path: "x")) == 1)
    #expect(refreshed.value == ["r0"])
  }

  @Test("that cannot be refreshed is kept, each request fails, and the next tries again")
  func failedRefresh() async throws {
    struct Offline: Error {}
    let valid = Box("new")
    let isOffline = Box(true)
    let (client, _) = try client(accepting: valid) { _ in
      if isOffline.value { throw Offline() }
      return Tokens(access: "new", refresh: "r1")
    }
    await #expect(throws: Offline.self) { try await client.send(Request<Int>(path: "x")) }
    #expect(try secrets.value(for: "api") == Tokens(access: "old", refresh: "r0"))
    isOffline.value = false
    #expect(try await client.send(Request<Int>(path: "x")) == 1)
  }

  @Test("is refreshed for the others although the caller that began it is canceled")
  func cancellation() async throws {
    let valid = Box("new")
    let started = AsyncStream<Void>.makeStream()
    let (client, _) = try client(accepting: valid) { _ in
      started.continuation.yield()
      try await Task.sleep(for: .milliseconds(200))
      return Tokens(access: "new", refresh: "r1")
    }
    let first = Task { try await client.send(Request<Int>(path: "x")) }
    for await _ in started.stream { break }
    let second = Task { try await client.send(Request<Int>(path: "x")) }
    first.cancel()
    #expect(try await second.value == 1)
    #expect(try secrets.value(for: "api") == Tokens(access: "new", refresh: "r1"))
  }

  @Test("is sent to its own server only") func otherServers() async throws {
    let valid = Box("old")
    let (client, server) = try client(accepting: valid) { $0 }
    _ = try await client.send(Request<Int>(path: "x"))
    _ = try? await client.data(from: #require(URL(string: "https://pictures.example/sun.png")))
    _ = try? await client.data(from: #require(URL(string: "https://api.example:8443/sun.png")))
    _ = try? await client.data(from: #require(URL(string: "http://api.example/sun.png")))
    #expect(server.requests.map(\.token) == ["Bearer old", nil, nil, nil])
  }

  @Test("that is missing is an error that says to sign in, and nothing is sent")
  func missing() async throws {
    let (client, server) = try client(accepting: Box("")) { $0 }
    try secrets.remove("api")
    let error = await #expect(throws: RequestError.self) {
      try await client.send(Request<Int>(path: "x"))
    }
    guard case .signInRequired = error?.code else { return #expect(Bool(false), "\(error as Any)") }
    #expect(server.requests.isEmpty)
  }
}

/// Sends relative requests to one server.
struct FixedHost: RequestAdapter {
  var scheme = "https"
  let name: String

  func send(
    _ request: OutgoingRequest,
    through next: @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) async throws -> IncomingResponse {
    var request = request
    if request.head.authority == nil {
      (request.head.scheme, request.head.authority) = (scheme, name)
      request.head.path = "/" + (request.head.path ?? "")
    }
    return try await next(request)
  }
}
