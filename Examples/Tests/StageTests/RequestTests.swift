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
    let host = WindowHost(sessions: try Stagehand().sessions, content: Text("Content"))
    try await serving(host, body)
  }

  private func serving(
    _ host: WindowHost, _ body: (_ port: UInt16, _ token: String) async throws -> Void
  ) async throws {
    let token = AccessToken()
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
    _ headers: [String: String], body: [UInt8] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var lines = ["\(method) \(path) HTTP/1.1"]
    lines += headers.map { "\($0.key): \($0.value)" }
    let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
    let reply = try await Loopback.exchange(port: port, request: Array(head.utf8) + body)
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

  /// An app that waits for an image, shown by a page.
  private func upload(
    _ body: (
      _ port: UInt16, _ path: String, _ headers: [String: String], _ taken: () -> [Upload]
    ) async throws -> Void
  ) async throws {
    var taken: [Upload] = []
    let host = WindowHost(
      sessions: try Stagehand().sessions,
      content: ImagePicker {
        taken.append($0)
      } label: {
        Text("Image")
      })
    let page = try await host.connect(sessionID: nil, phase: .active) { _ in }
    let field = try #require(
      page.window.renderer.elements.first { _ in true }?.first { $0.handlers.upload != nil })
    try await serving(host) { port, token in
      let path = "/upload?session=\(page.window.session.id)&element=\(field.id)"
      let headers = [
        "Host": "127.0.0.1:\(port)", "Origin": "http://127.0.0.1:\(port)",
        "Authorization": "Bearer \(token)",
      ]
      try await body(port, path, headers) { taken }
    }
  }

  @Test("The app's own page can hand an image over, with its size if that is one")
  func images() async throws {
    try await upload { port, path, headers, taken in
      for (type, beginning) in ImageTests.beginnings {
        let bytes = beginning + [UInt8](repeating: 7, count: 300_000)
        let headers = headers.merging(["Content-Length": "\(bytes.count)"]) { $1 }
        let size = type == .png ? "&width=30&height=20" : "&width=nan&height=-1"
        try await expect(204, port, path + size, method: "POST", headers, body: bytes)
        #expect(taken().last?.bytes == bytes)
        let told = type == .png ? CGSize(width: 30, height: 20) : CGSize(width: 1, height: 1)
        #expect(taken().last?.size == told)
      }
    }
  }

  @Test("Another page, a stranger, and what is no image, are refused")
  func foreignImages() async throws {
    try await upload { port, path, headers, taken in
      let png = try #require(ImageTests.beginnings[.png])
      func post(
        _ status: Int, _ path: String, _ changes: [String: String?], _ body: [UInt8]
      ) async throws {
        var headers = headers
        headers["Content-Length"] = "\(body.count)"
        for (name, value) in changes { headers[name] = value }
        try await expect(status, port, path, method: "POST", headers, body: body)
      }
      try await post(403, path, ["Origin": "http://attacker.example"], png)
      try await post(403, path, ["Origin": nil], png)
      try await post(403, path, ["Authorization": nil], png)
      try await post(403, path, ["Authorization": "Bearer x"], png)
      try await post(403, path, ["Host": "attacker.example"], png)
      try await post(403, path + "0", [:], png)
      try await post(403, "/upload?session=../..&element=n1", [:], png)
      try await post(403, "/upload", [:], png)
      try await post(415, path, [:], Array("<svg onload='alert(1)'/>".utf8))
      try await post(415, path, [:], [])
      try await post(413, path, ["Content-Length": "\(Upload.limit + 1)"], png)
      try await post(413, path, ["Content-Length": nil], png)
      #expect(taken().isEmpty)
    }
  }

  @Test("An image is shown at its address, and nowhere else")
  func imageAddresses() async throws {
    let host = WindowHost(sessions: try Stagehand().sessions, content: Text("Content"))
    let png = try #require(ImageTests.beginnings[.png])
    let path = host.images.path(of: ImageFile(name: "a") { png })
    let page = host.images.path(of: ImageFile(name: "b") { Array("<html>".utf8) })
    try await serving(host) { port, _ in
      let own = ["Host": "127.0.0.1:\(port)"]
      try await expect(200, port, path, own)
      try await expect(403, port, path, ["Host": "attacker.example:\(port)"])
      try await expect(404, port, page, own)
      try await expect(404, port, "/image/a", own)
      try await expect(403, port, path, method: "POST", own)
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
