#if Console
import FlyingFox
import KeepsakeBase
import KeepsakeScenes
import KeepsakeSettings
import Testing

@testable import KeepsakeConsole

@Suite("The console answers its own page alone") struct ConsoleRequestTests {
  private let handler: ConsoleRequestHandler

  init() {
    handler = ConsoleRequestHandler(
      model: ConsoleModel(app: "app", settings: .inMemory(), scenes: nil), token: ConsoleToken())
    handler.authorities.withLock { $0 = ["127.0.0.1:4000", "localhost:4000"] }
  }

  private func status(
    _ path: String, method: HTTPMethod = .GET, host: String? = "127.0.0.1:4000",
    origin: String? = nil, token: String? = nil
  ) async throws -> Int {
    var headers: HTTPHeaders = [:]
    headers[.host] = host
    headers[HTTPHeader("Origin")] = origin
    headers[.upgrade] = "websocket"
    headers[.connection] = "Upgrade"
    headers[.webSocketKey] = "dGhlIHNhbXBsZSBub25jZQ=="
    headers[.webSocketVersion] = "13"
    let query = token.map { [HTTPRequest.QueryItem(name: "token", value: $0)] } ?? []
    let request = HTTPRequest(
      method: method, version: .http11, path: path, query: query, headers: headers, body: .init())
    return try await handler.handleRequest(request).statusCode.code
  }

  @Test("under the machine's own names") func hosts() async throws {
    for path in ["/", "/console.css", "/console.js"] {
      #expect(try await status(path) == 200)
      #expect(try await status(path, host: "localhost:4000") == 200)
      #expect(try await status(path, host: "attacker.example:4000") == 403)
      #expect(try await status(path, host: "127.0.0.1") == 403)
      #expect(try await status(path, host: nil) == 403)
      #expect(try await status(path, method: .POST) == 403)
    }
    #expect(try await status("/other") == 403)
    #expect(try await status("/../console.js") == 403)
  }

  @Test("and shows what the app keeps to none that does not know the token") func socket()
    async throws
  {
    let token = handler.token.string
    let own = "http://127.0.0.1:4000"
    #expect(try await status("/socket", origin: own, token: token) == 101)
    #expect(try await status("/socket", origin: own) == 403)
    #expect(try await status("/socket", origin: own, token: "") == 403)
    #expect(try await status("/socket", origin: own, token: String(token.dropLast())) == 403)
    #expect(try await status("/socket", origin: own, token: token + "0") == 403)
    #expect(try await status("/socket", token: token) == 403)
    #expect(try await status("/socket", origin: "http://attacker.example", token: token) == 403)
    #expect(try await status("/socket", origin: "null", token: token) == 403)
    #expect(
      try await status("/socket", host: "localhost:4000", origin: own, token: token) == 403)
    #expect(
      try await status(
        "/socket", host: "attacker.example:4000", origin: "http://attacker.example:4000",
        token: token) == 403)
  }

  @Test("with a token that is another each time") func tokens() {
    #expect(ConsoleToken().string != ConsoleToken().string)
    #expect(ConsoleToken().string.count == 64)
  }
}
#endif
