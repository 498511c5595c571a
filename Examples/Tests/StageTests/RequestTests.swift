import FlyingFox
import SystemPackage
import Testing

@testable import Stage

@Suite("Only the app's own pages are answered", .serialized)
@MainActor
struct RequestTests {
  /// Serves an app over a real socket while a body runs.
  private func serving(
    _ body: (_ port: UInt16, _ token: String) async throws -> Void
  ) async throws {
    let stage = try Stagehand()
    let token = AccessToken()
    let host = WindowHost(sessions: stage.sessions, content: Text("Content"))
    let server = StageServer(host: host, token: token, title: "Test")
    let (ports, started) = AsyncStream<UInt16>.makeStream()
    let running = Task { try await server.run(on: UInt16(18_200)...18_299) { started.yield($0) } }
    defer { running.cancel() }
    for await port in ports {
      try await body(port, token.string)
      break
    }
  }

  /// Expects a status in reply to a request, sent as written.
  private func expect(
    _ status: Int, _ port: UInt16, _ path: String, method: String = "GET",
    _ headers: [String: String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var lines = ["\(method) \(path) HTTP/1.1"]
    lines += headers.map { "\($0.key): \($0.value)" }
    let reply = try await Loopback.exchange(
      port: port, request: lines.joined(separator: "\r\n") + "\r\n\r\n")
    #expect(reply.hasPrefix("HTTP/1.1 \(status)"), sourceLocation: sourceLocation)
  }

  private func upgrade(_ port: UInt16, host: String? = nil, origin: String?) -> [String: String] {
    var headers = [
      "Host": host ?? "127.0.0.1:\(port)", "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    ]
    headers["Origin"] = origin
    return headers
  }

  @Test("The page loads under the machine's own names, and under no other")
  func hosts() async throws {
    try await serving { port, _ in
      try await expect(200, port, "/", ["Host": "127.0.0.1:\(port)"])
      try await expect(200, port, "/page.js", ["Host": "localhost:\(port)"])
      try await expect(403, port, "/", ["Host": "attacker.example:\(port)"])
      try await expect(403, port, "/", ["Host": "127.0.0.1"])
      try await expect(403, port, "/", [:])
    }
  }

  @Test("What is no part of the app is refused")
  func others() async throws {
    try await serving { port, _ in
      let host = ["Host": "127.0.0.1:\(port)"]
      try await expect(403, port, "/other", host)
      try await expect(403, port, "/../../etc/passwd", host)
      try await expect(403, port, "/", method: "POST", host)
      try await expect(403, port, "/socket", host)
    }
  }

  @Test("A socket opens for the app's own page with the token")
  func ownPage() async throws {
    try await serving { port, token in
      let own = upgrade(port, origin: "http://127.0.0.1:\(port)")
      try await expect(101, port, "/socket?token=\(token)", own)
      let named = upgrade(port, host: "localhost:\(port)", origin: "http://localhost:\(port)")
      try await expect(101, port, "/socket?token=\(token)", named)
    }
  }

  @Test("No socket opens for another page, or without the token")
  func otherPages() async throws {
    try await serving { port, token in
      for origin in ["http://attacker.example", "http://127.0.0.1:1", "null", nil] {
        let headers = upgrade(port, origin: origin)
        try await expect(403, port, "/socket?token=\(token)", headers)
      }
      let own = upgrade(port, origin: "http://127.0.0.1:\(port)")
      for guess in ["", token.dropLast() + "x", token + "0"] {
        try await expect(403, port, "/socket?token=\(guess)", own)
      }
      try await expect(403, port, "/socket", own)
    }
  }

  @Test("The second app on a machine takes the next port")
  func ports() async throws {
    try await serving { first, _ in
      try await serving { second, _ in
        #expect(first != second)
      }
    }
  }

  @Test("The token is kept for the next run, for the user alone")
  func token() throws {
    let stage = try Stagehand()
    let first = try AccessToken(in: stage.container)
    #expect(try AccessToken(in: stage.container).string == first.string)
    #expect(first.string.count == 64)
    let path = stage.container.savedState.appending("window-access-token").string
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(!first.matches("") && first.matches(first.string))
  }
}
