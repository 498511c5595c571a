#if Console
import KeepsakeBase
import KeepsakeLoopback
import Testing

@Suite("The loopback server") struct LoopbackServerTests {
  /// Serves while a body runs.
  func serving(
    _ limits: Loopback.Limits = Loopback.Limits(),
    _ body: (_ port: UInt16, _ token: String) async throws -> Void
  ) async throws {
    let token = Loopback.Token()
    let server = Loopback.Server(token: token, limits: limits) { request in
      switch (request.method, request.path) {
      case ("GET", "/"): .open { _ in Loopback.Response(Array("page".utf8), type: "text/html") }
      case ("GET", "/wait"):
        {
          usleep(200_000); return nil
        }()
      case ("GET", "/long"):
        .open { _ in Loopback.Response([UInt8](repeating: 7, count: 64 << 20), type: "image/png") }
      case ("GET", "/name"):
        .open {
          Loopback.Response(Array(($0.value(of: "name") ?? "none").utf8), type: "text/plain")
        }
      case ("POST", "/upload"):
        .upload(limit: 10 << 20) {
          Loopback.Response(Array("\($0.body.count)".utf8), type: "text/plain")
        }
      case ("GET", "/socket"):
        .socket { _, socket in
          for await message in socket.messages {
            if message == "flood" {
              for _ in 0..<100 { socket.send(String(repeating: "x", count: 1 << 20)) }
            }
            if message == "sleep" { try? await Task.sleep(for: .seconds(3600)) }
            socket.send("got \(message)")
          }
        }
      default: nil
      }
    }
    let (ports, started) = AsyncStream<UInt16>.makeStream()
    let running = Task { try await server.run(on: [0]) { started.yield($0) } }
    for await port in ports {
      do {
        try await body(port, token.string)
      } catch {
        running.cancel()
        throw error
      }
      break
    }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  func request(
    _ line: String, _ port: UInt16, _ headers: [String] = [], origin: String? = nil,
    token: String? = nil
  ) -> String {
    var lines = [line + " HTTP/1.1", "Host: 127.0.0.1:\(port)"]
    if let origin { lines.append("Origin: \(origin)") }
    if let token { lines.append("Authorization: Bearer \(token)") }
    return (lines + headers).joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// The status of the response to what is sent.
  func status(_ port: UInt16, _ text: String) async throws -> Int? {
    let client = try Client(port: port)
    defer { client.close() }
    try await client.send(text)
    return Int(try await client.response().split(separator: " ").dropFirst().first ?? "")
  }

  func body(_ port: UInt16, _ text: String) async throws -> String {
    let client = try Client(port: port)
    defer { client.close() }
    try await client.send(text)
    return String(try await client.response().split(separator: "\r\n\r\n").last ?? "")
  }

  // MARK: Whom it answers

  @Test("Answers under the machine's own names, and under no other") func names() async throws {
    try await serving { (port, _) async throws in
      func get(_ headers: String) async throws -> Int? {
        try await status(port, "GET / HTTP/1.1\r\n\(headers)\r\n\r\n")
      }
      #expect(try await get("Host: 127.0.0.1:\(port)") == 200)
      #expect(try await get("Host: localhost:\(port)") == 200)
      #expect(try await get("Host: attacker.example:\(port)") == 403)
      #expect(try await get("Host: 127.0.0.1") == 403)
      #expect(try await get("Accept: */*") == 403)
      #expect(try await get("Host: 127.0.0.1:\(port)\r\nHost: attacker.example") == 403)
    }
  }

  @Test("Receives bodies from its own page with the token, and from no other")
  func uploads() async throws {
    try await serving { (port, token) async throws in
      let own = "http://127.0.0.1:\(port)"
      func post(_ origin: String?, _ token: String?) async throws -> Int? {
        try await status(
          port,
          request("POST /upload", port, ["Content-Length: 5"], origin: origin, token: token)
            + "12345")
      }
      #expect(try await post(own, token) == 200)
      #expect(try await post(own, nil) == 403)
      #expect(try await post(own, token + "0") == 403)
      #expect(try await post(own, String(token.dropLast()) + "x") == 403)
      #expect(try await post("http://attacker.example", token) == 403)
      #expect(try await post("http://localhost:\(port)", token) == 403)
      #expect(try await post(nil, token) == 403)
    }
  }

  @Test("Reads the query of a request as a form encodes it") func query() async throws {
    try await serving { (port, _) async throws in
      func name(_ query: String) async throws -> String {
        try await body(port, request("GET /name\(query)", port))
      }
      #expect(try await name("?name=a+b%2Bc%C3%A9") == "a b+cé")
      #expect(try await name("?other=1&name=x&name=y") == "x")
      #expect(try await name("") == "none")
      #expect(try await name("?name=%zz") == "none")
    }
  }

  // MARK: Limits

  @Test(
    "Refuses at the first line, without waiting for the rest",
    arguments: [
      "GET /other HTTP/1.1\r\n", "POST / HTTP/1.1\r\n", "GET / HTTP/2\r\n", "nonsense\r\n",
      "GET http://attacker.example/ HTTP/1.1\r\n", "\r\nGET /../etc/passwd HTTP/1.1\r\n",
    ])
  func firstLine(line: String) async throws {
    try await serving { (port, _) async throws in
      let status = try await status(port, line)
      #expect(status == 400 || status == 404)
    }
  }

  @Test("Refuses a body before it is sent") func bodies() async throws {
    try await serving { (port, token) async throws in
      let own = "http://127.0.0.1:\(port)"
      func post(_ headers: [String], token: String) async throws -> Int? {
        try await status(
          port, request("POST /upload", port, headers, origin: own, token: token))
      }
      #expect(try await post(["Content-Length: 8000000"], token: "wrong") == 403)
      #expect(try await post(["Content-Length: \(10 << 20 + 1)"], token: token) == 413)
      #expect(try await post(["Content-Length: 99999999999999999999"], token: token) == 400)
      #expect(try await post(["Content-Length: -1"], token: token) == 400)
      #expect(try await post(["Transfer-Encoding: chunked"], token: token) == 411)
      #expect(try await post([], token: token) == 411)
      #expect(
        try await status(port, request("GET /", port, ["Content-Length: 8000000"])) == 400)
    }
  }

  @Test("Closes the connection of a line, or of headers, that never end")
  func endless() async throws {
    try await serving { (port, _) async throws in
      for start in ["GET /", "", "GET / HTTP/1.1\r\nA: ", "\r\n"] {
        let client = try Client(port: port)
        defer { client.close() }
        try await client.send(start)
        let block = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        await #expect(throws: Client.Closed.self) {
          for _ in 0..<100 { try await client.send(block) }
        }
      }
      let many = (0..<2000).map { "A\($0): b" }
      let long = request("GET /", port, many)
      #expect(try await status(port, long) == 431)
      #expect(try await status(port, "GET /\(String(repeating: "a", count: 5000))") == 414)
    }
  }

  @Test("Closes the connection of a client that is too slow") func slow() async throws {
    var limits = Loopback.Limits()
    limits.headTime = .milliseconds(300)
    limits.transferTime = .milliseconds(300)
    try await serving(limits) { (port, token) async throws in
      for text in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: "] {
        let client = try Client(port: port)
        defer { client.close() }
        try await client.send(text)
        #expect(try await client.receive() == [])
      }
      let upload = try Client(port: port)
      defer { upload.close() }
      let own = "http://127.0.0.1:\(port)"
      try await upload.send(
        request("POST /upload", port, ["Content-Length: 9"], origin: own, token: token) + "1")
      #expect(try await upload.receive() == [])
      let reader = try Client(port: port)
      defer { reader.close() }
      try await reader.send(request("GET /long", port))
      try await Task.sleep(for: .seconds(1))
      #expect(try await reader.receive().count < 64 << 20)
    }
  }

  @Test("Answers a client that has closed its half of the connection") func half() async throws {
    try await serving { (port, _) async throws in
      let client = try Client(port: port)
      defer { client.close() }
      try await client.send(request("GET /", port))
      client.finish()
      #expect(try await client.response().hasSuffix("page"))
      let incomplete = try Client(port: port)
      defer { incomplete.close() }
      try await incomplete.send("GET / HTTP/1.1\r\nHost")
      incomplete.finish()
      #expect(try await incomplete.receive() == [])
    }
  }

  @Test("Closes the socket of a page that has closed its half of the connection")
  func halfSocket() async throws {
    try await serving { (port, token) async throws in
      let page = try Client(port: port)
      defer { page.close() }
      try await page.send(upgrade(port, token: token))
      page.finish()
      #expect(try await page.receive().count < 1000)
    }
  }

  @Test("Serves a page while more connections are open than it allows")
  func connections() async throws {
    var limits = Loopback.Limits()
    limits.connections = 20
    // That none is closed because it is slow.
    limits.headTime = .seconds(600)
    try await serving(limits) { (port, token) async throws in
      let page = try Client(port: port)
      defer { page.close() }
      try await page.send(upgrade(port, token: token))
      _ = try await page.receive(atLeast: 1)
      // While the server's thread waits, so that it accepts them all at once.
      let blocking = try Client(port: port)
      defer { blocking.close() }
      try await blocking.send(request("GET /wait", port))
      let others = try (0..<100).map { _ in try Client(port: port) }
      defer { others.forEach { $0.close() } }
      #expect(try await status(port, request("GET /", port)) == 200)
      // The page's, the last request's, and 18 of these.
      for other in others.dropLast(18) { #expect(try await other.receive() == []) }
      try await page.send(frame("still here"))
      #expect(try await text(from: page) == "got still here")
    }
  }

  // MARK: Sockets

  func upgrade(_ port: UInt16, token: String?, origin: String? = nil) -> String {
    let protocols = token.map { "Sec-WebSocket-Protocol: keepsake, bearer.\($0)" }
    return request(
      "GET /socket", port,
      [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ] + [protocols].compactMap { $0 }, origin: origin ?? "http://127.0.0.1:\(port)")
  }

  /// A masked frame (RFC 6455, section 5.2); with the mask 0, which changes nothing.
  func frame(_ text: String, opcode: UInt8 = 1, isLast: Bool = true) -> [UInt8] {
    let bytes = Array(text.utf8)
    let length: [UInt8]
    switch bytes.count {
    case ..<126: length = [0x80 | UInt8(bytes.count)]
    case ..<65536: length = [0xFE, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
    default:
      length = [0xFF] + (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (56 - 8 * $0)) }
    }
    return [(isLast ? 0x80 : 0) | opcode] + length + [0, 0, 0, 0] + bytes
  }

  private func text(from client: Client) async throws -> String {
    let head = try await client.receive(atLeast: 2)
    try #require(head.count >= 2)
    let length = Int(head[1])
    var bytes = Array(head.dropFirst(2))
    if bytes.count < length { bytes += try await client.receive(atLeast: length - bytes.count) }
    return String(decoding: bytes.prefix(length), as: UTF8.self)
  }

  @Test("Opens a socket for its own page with the token, and for no other")
  func sockets() async throws {
    try await serving { (port, token) async throws in
      func connect(_ text: String) async throws -> String {
        let client = try Client(port: port)
        defer { client.close() }
        try await client.send(text)
        return String(decoding: try await client.receive(atLeast: 12), as: UTF8.self)
      }
      let reply = try await connect(upgrade(port, token: token))
      #expect(reply.hasPrefix("HTTP/1.1 101"))
      #expect(reply.lowercased().contains("sec-websocket-protocol: keepsake\r\n"))
      #expect(reply.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
      let refused = [
        upgrade(port, token: nil), upgrade(port, token: token + "0"),
        upgrade(port, token: token, origin: "http://attacker.example"),
        upgrade(port, token: token, origin: "null"),
        upgrade(port, token: nil).replacing("GET /socket", with: "GET /socket?token=\(token)"),
        request("GET /socket", port),
      ]
      for text in refused {
        #expect(try await connect(text).hasPrefix("HTTP/1.1 403"))
      }
    }
  }

  @Test("Exchanges messages, whole, in parts, and between pings") func messages() async throws {
    try await serving { (port, token) async throws in
      let page = try Client(port: port)
      defer { page.close() }
      try await page.send(upgrade(port, token: token))
      _ = try await page.receive(atLeast: 1)
      try await page.send(frame("one"))
      #expect(try await text(from: page) == "got one")
      try await page.send(frame("tw", isLast: false))
      try await page.send(frame("o é", opcode: 0))
      #expect(try await text(from: page) == "got two é")
      try await page.send(frame("ping", opcode: 9))
      #expect(try await text(from: page) == "ping")
      try await page.send(frame("\u{3}\u{e8}", opcode: 8))
      #expect(try await page.receive().first == 0x88)
    }
  }

  @Test("Closes the socket of a page that sends or leaves too much")
  func socketLimits() async throws {
    var limits = Loopback.Limits()
    limits.unreadLength = 8 << 20
    limits.unreadMessages = 10
    try await serving(limits) { (port, token) async throws in
      func open() async throws -> Client {
        let page = try Client(port: port)
        try await page.send(upgrade(port, token: token))
        _ = try await page.receive(atLeast: 1)
        return page
      }
      let long = try await open()
      defer { long.close() }
      try? await long.send(frame(String(repeating: "x", count: 2 << 20)))
      #expect(try await long.receive().count < 1000)
      let deaf = try await open()
      defer { deaf.close() }
      try await deaf.send(frame("flood"))
      try await Task.sleep(for: .milliseconds(500))
      #expect(try await deaf.receive().count < 50 << 20)
      let loud = try await open()
      defer { loud.close() }
      try await loud.send(frame("sleep"))
      for _ in 0..<20 { try? await loud.send(frame("more")) }
      #expect(try await loud.receive().first == 0x88)
    }
  }

  // MARK: Start and end

  @Test("Takes the next port if another program uses the first") func ports() async throws {
    try await serving { (port, _) async throws in
      let server = Loopback.Server(token: Loopback.Token()) { _ in nil }
      await #expect(throws: Loopback.ServerError.portInUse(port)) {
        try await server.run(on: [port, port]) { _ in }
      }
      let (ports, started) = AsyncStream<UInt16>.makeStream()
      let running = Task { try await server.run(on: [port, 0]) { started.yield($0) } }
      for await other in ports {
        #expect(other != port)
        break
      }
      running.cancel()
      _ = await running.result
    }
  }

  @Test("Ends when its task is canceled, even while clients are connected")
  func cancellation() async throws {
    var clients: [Client] = []
    defer { clients.forEach { $0.close() } }
    try await serving { (port, token) async throws in
      for text in ["", "GET / HTTP", request("GET /long", port), upgrade(port, token: token)] {
        let client = try Client(port: port)
        clients.append(client)
        try await client.send(text)
      }
      try await clients[3].send(frame("sleep"))
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(try await clients[0].receive() == [])
  }
}
#endif
