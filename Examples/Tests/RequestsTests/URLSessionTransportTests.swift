import HTTPTypes
import NIOHTTP1
import Testing

@testable import Requests

@Suite("A request over the network") struct URLSessionTransportTests {
  func client(_ server: LocalServer, limit: Int = 1 << 20, time: Double = 20) -> RequestClient {
    RequestClient(
      adapters: [FixedHost(scheme: "http", name: "127.0.0.1:\(server.port)")],
      transport: URLSessionTransport(limit: limit, time: time))
  }

  func request(token: String? = nil) -> Request<String> {
    var request = Request<String>(.post, path: "x", body: ["a": 1]) {
      String(decoding: $0, as: UTF8.self)
    }
    request.headerFields[.authorization] = token
    return request
  }

  @Test("arrives with its method, header fields and body, and receives status and body")
  func exchange() async throws {
    let server = try await LocalServer { head in
      .init(body: Array("\(head.method) \(head.uri) \(head.headers["Authorization"])".utf8))
    }
    #expect(try await client(server).send(request(token: "Bearer t")) == #"POST /x ["Bearer t"]"#)
    let missing = try await LocalServer { _ in .init(status: .notFound) }
    let error = await #expect(throws: RequestError.self) {
      try await client(missing).send(request())
    }
    guard case .status(404) = error?.code else { return #expect(Bool(false), "\(error as Any)") }
  }

  @Test("takes no token along when it is redirected to another server")
  func redirect() async throws {
    let seen = Box<[String]>([])
    let other = try await LocalServer { head in
      seen.change { $0 += head.headers["Authorization"] + head.headers["Cookie"] }
      return .init(body: Array("other".utf8))
    }
    let server = try await LocalServer { head in
      head.uri == "/x"
        ? .init(status: .seeOther, headers: [("Location", "http://127.0.0.1:\(other.port)/y")])
        : nil
    }
    #expect(try await client(server).send(request(token: "Bearer secret")) == "other")
    #expect(seen.value == [])
  }

  @Test("follows a redirect on its own server with the token")
  func ownRedirect() async throws {
    let server = try await LocalServer { head in
      head.uri == "/x"
        ? .init(status: .seeOther, headers: [("Location", "/y")])
        : .init(body: Array(head.headers["Authorization"].joined().utf8))
    }
    #expect(try await client(server).send(request(token: "Bearer t")) == "Bearer t")
  }

  @Test(
    "ends when the response is larger than is accepted, also if its length was not told",
    .timeLimit(.minutes(10)))
  func tooLarge() async throws {
    let server = try await LocalServer { _ in
      .init(body: [UInt8](repeating: 0, count: 4 << 20), ends: false)
    }
    let error = await #expect(throws: RequestError.self) {
      try await client(server, time: 3600).send(request())
    }
    guard case .tooLarge = error?.code else { return #expect(Bool(false), "\(error as Any)") }
  }

  @Test("ends when the server does not answer, or is not there")
  func unreachable() async throws {
    let silent = try await LocalServer { _ in nil }
    var error = await #expect(throws: RequestError.self) {
      try await client(silent, time: 1).send(request())
    }
    guard case .unreachable = error?.code else { return #expect(Bool(false), "\(error as Any)") }
    let nobody = RequestClient(
      adapters: [FixedHost(scheme: "http", name: "127.0.0.1:1")], transport: URLSessionTransport())
    error = await #expect(throws: RequestError.self) { try await nobody.send(request()) }
    guard case .unreachable = error?.code else { return #expect(Bool(false), "\(error as Any)") }
  }

  @Test("ends when its task is canceled", .timeLimit(.minutes(10))) func cancellation() async throws
  {
    let started = AsyncStream<Void>.makeStream()
    let server = try await LocalServer { _ in
      started.continuation.yield()
      return nil
    }
    let task = Task { try await client(server, time: 600).send(request()) }
    for await _ in started.stream { break }
    task.cancel()
    await #expect(throws: RequestError.self) { try await task.value }
  }
}
