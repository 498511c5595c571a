#if Console
import KeepsakeLoopback
import KeepsakeTestSupport
import Testing

@Suite("Damaged requests") struct RequestMutationTests {
  @Test("are refused or answered, and the next request is answered", .timeLimit(.minutes(15)))
  func requests() async throws {
    try await LoopbackServerTests().serving { (port, token) async throws in
      let own = "http://127.0.0.1:\(port)"
      let upgrade = LoopbackServerTests().upgrade(port, token: token)
      let upload = LoopbackServerTests().request(
        "POST /upload", port, ["Content-Length: 5"], origin: own, token: token)
      let seeds = [
        Array("GET /?name=a+b%20c HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8),
        Array((upload + "12345").utf8),
        Array(upgrade.utf8) + LoopbackServerTests().frame("one")
          + LoopbackServerTests().frame("two", isLast: false)
          + LoopbackServerTests().frame("", opcode: 8),
      ]
      let tokens = [
        "\r\n", "\r\n\r\n", "Content-Length: 99999999999", "Transfer-Encoding: chunked",
        "0\r\n\r\n",
        "HTTP/1.0", "Connection: Upgrade", "\u{0}", "%", "?", " ",
      ]
      for (number, bytes) in Mutations(of: seeds, tokens: tokens).enumerated() {
        let client = try Client(port: port, seconds: 60)
        try? await client.send(bytes)
        client.finish()
        await #expect(throws: Never.self, "\(String(decoding: bytes, as: UTF8.self))") {
          try await client.receive()
        }
        client.close()
        if number % 100 == 0 {
          let page = LoopbackServerTests().request("GET /", port)
          #expect(try await LoopbackServerTests().status(port, page) == 200)
        }
      }
    }
  }
}
#endif
