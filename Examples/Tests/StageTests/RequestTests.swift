import Foundation
import KeepsakeLoopback
import SystemPackage
import Testing

@testable import Cards
@testable import Stage
@testable import WorkingDirectory

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The app's pages", .serialized)
@MainActor
struct RequestTests {
  /// Serves an app over a real socket while a body runs.
  private func serving(
    _ host: WindowHost, _ body: (_ port: UInt16, _ token: String) async throws -> Void
  ) async throws {
    let token = Loopback.Token()
    let server = StageServer(host: host, token: token, title: "Test")
    let (ports, started) = AsyncStream<UInt16>.makeStream()
    let running = Task { try await server.run(on: UInt16(18_200)...18_299) { started.yield($0) } }
    defer { running.cancel() }
    for await port in ports {
      try await body(port, token.string)
      break
    }
  }

  /// The status and body of the response to a request.
  private func response(
    _ port: UInt16, _ path: String, token: String? = nil, body: [UInt8]? = nil
  ) async throws -> (status: Int, body: [UInt8]) {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
    if let body {
      request.httpMethod = "POST"
      request.httpBody = Data(body)
    }
    request.setValue("http://127.0.0.1:\(port)", forHTTPHeaderField: "Origin")
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, [UInt8](data))
  }

  @Test("load with their scripts, and nothing else does") func files() async throws {
    let host = WindowHost(sessions: try Stagehand().sessions, content: Text("Content"))
    try await serving(host) { (port, _) async throws in
      let page = try await response(port, "/")
      #expect(String(decoding: page.body, as: UTF8.self).contains("<title>Test</title>"))
      for path in [
        "/tokens.css", "/page.css", "/page.js", "/connection.js", "/controls.js", "/navigation.js",
      ] {
        #expect(try await response(port, path).status == 200)
      }
      #expect(try await response(port, "/other").status == 404)
      #expect(try await response(port, "/socket").status == 403)
    }
  }

  /// An app that waits for an image, shown by a page.
  private func upload(
    _ body: (
      _ port: UInt16, _ path: String, _ token: String, _ received: () -> [Upload]
    ) async throws -> Void
  ) async throws {
    var received: [Upload] = []
    let host = WindowHost(
      sessions: try Stagehand().sessions,
      content: FilePicker {
        received.append($0)
      } label: {
        Text("Image")
      })
    let page = try await host.connect(sessionID: nil, phase: .active) { _ in }
    let field = try #require(
      page.window.renderer.elements.first { _ in true }?.first { $0.receive != nil })
    try await serving(host) { (port, token) async throws in
      let path = "/upload?session=\(page.window.session.id)&element=\(field.id)"
      try await body(port, path, token) { received }
    }
  }

  @Test("can send an image, with its size if that is one") func images() async throws {
    try await upload { (port, path, token, received) async throws in
      for (type, beginning) in ImageTests.beginnings {
        let bytes = beginning + [UInt8](repeating: 7, count: 300_000)
        let size = type == .png ? "&width=30&height=20" : "&width=nan&height=-1"
        let (count, id) = (received().count, UUID())
        // Once more, as a page that has lost the answer does.
        for _ in 0..<2 {
          let query = "&upload=\(id)" + size
          let status = try await response(port, path + query, token: token, body: bytes).status
          #expect(status == 204)
        }
        #expect(received().count == count + 1 && received().last?.id == id)
        let isKept = received().last?.bytes == bytes
        #expect(isKept)
        let expected = type == .png ? CGSize(width: 30, height: 20) : CGSize(width: 1, height: 1)
        #expect(received().last?.size == expected)
      }
    }
  }

  @Test("cannot send what is not an image, or what no element asked for")
  func foreignImages() async throws {
    try await upload { (port, path, token, received) async throws in
      let png = try #require(ImageTests.beginnings[.png])
      func post(_ path: String, _ body: [UInt8], token: String? = nil) async throws -> Int {
        try await response(port, path, token: token, body: body).status
      }
      let upload = "&upload=\(UUID())"
      #expect(try await post(path, png) == 403)
      #expect(try await post(path, png, token: token + "0") == 403)
      #expect(try await post(path + "0" + upload, png, token: token) == 404)
      #expect(try await post("/upload?session=../..&element=n1", png, token: token) == 404)
      #expect(try await post("/upload", png, token: token) == 404)
      #expect(
        try await post(path + upload, Array("<svg onload='alert(1)'/>".utf8), token: token)
          == 415)
      #expect(try await post(path + upload, [], token: token) == 415)
      #expect(received().isEmpty)
    }
  }

  /// An app that waits for files, of which it keeps what is called `kept`, shown by two pages.
  private func drop(
    _ limits: DropLimits = DropLimits(),
    _ body: (
      _ post: (_ query: String, _ body: String) async throws -> (status: Int, text: String),
      _ target: String, _ container: AppContainer, _ received: () -> [URL]
    ) async throws -> Void
  ) async throws {
    var received: [URL] = []
    let stage = try Stagehand()
    let host = WindowHost(
      sessions: stage.sessions,
      content: Text("Content").dropDestination(
        drops: DroppedFiles(in: stage.container.droppedFiles, limits: limits)
      ) { urls, location in
        received = urls
        return location == CGPoint(x: 3, y: 4) && urls[0].lastPathComponent == "kept"
      })
    let page = try await host.connect(sessionID: nil, phase: .active) { _ in }
    let element = try #require(page.window.renderer.elements.first { $0.receive != nil })
    try await serving(host) { (port, token) async throws in
      try await body(
        { query, body in
          let reply = try await response(
            port, "/upload?" + query, token: token, body: Array(body.utf8))
          return (reply.status, String(decoding: reply.body, as: UTF8.self))
        }, "session=\(page.window.session.id)&element=\(element.id)", stage.container,
        { received })
      // Without the token nothing can be sent.
      let query = "/upload?session=\(page.window.session.id)&element=\(element.id)&step=begin"
      #expect(try await response(port, query, body: Array("{}".utf8)).status == 403)
    }
  }

  private func names(_ container: AppContainer) -> [String] {
    (try? LocalFileSystem().contents(ofDirectory: container.droppedFiles)) ?? []
  }

  @Test("can send a directory, which the app keeps or not") func drops() async throws {
    try await drop { (post, target, container, received) async throws in
      for name in ["kept", "other"] {
        let manifest = """
          {"directories":["\(name)"],"files":[{"path":"\(name)/a","size":2}],"x":3,"y":4}
          """
        let begun = try await post(target + "&step=begin", manifest)
        #expect(begun.status == 200)
        let query = target + "&drop=" + begun.text
        #expect(try await post(query + "&step=file&file=0", "ab").status == 204)
        #expect(try await post(query + "&step=end", "").status == 204)
        #expect(received().map(\.lastPathComponent) == [name])
        #expect(names(container).count == 1)
      }
      let kept = try #require(names(container).first)
      let file = container.droppedFiles.appending(kept).appending("kept/a")
      #expect(try LocalFileSystem().readFile(at: file) == Array("ab".utf8))
    }
  }

  @Test("cannot send files that lead out, too many, too large, or where none are wanted")
  func foreignDrops() async throws {
    let limits = DropLimits(entries: 2, fileSize: 4, totalSize: 6, manifestSize: 200)
    try await drop(limits) { (post, target, container, received) async throws in
      func begin(_ files: String, _ target: String) async throws -> Int {
        let manifest = #"{"directories":[],"files":[\#(files)],"x":0,"y":0}"#
        return try await post(target + "&step=begin", manifest).status
      }
      let file = #"{"path":"a","size":2}"#
      #expect(try await begin(#"{"path":"../a","size":2}"#, target) == 400)
      #expect(try await begin("", target) == 400)
      #expect(try await begin("{}", target) == 400)
      #expect(try await begin(#"{"path":"\uD800","size":2}"#, target) == 400)
      #expect(
        try await begin(file + #",{"path":"b","size":2},{"path":"c","size":2}"#, target) == 413)
      #expect(try await begin(#"{"path":"a","size":5}"#, target) == 413)
      #expect(
        try await begin(#"{"path":"a","size":4},{"path":"b","size":4}"#, target) == 413)
      #expect(try await begin(file + String(repeating: " ", count: 200), target) == 413)
      #expect(try await begin(file, target + "0") == 404)
      #expect(try await begin(file, "session=../..&element=n1") == 404)
      #expect(names(container) == [])

      let id = try await post(
        target + "&step=begin", #"{"directories":[],"files":[\#(file)],"x":0,"y":0}"#
      ).text
      #expect(try await post(target + "&step=end&drop=" + id + "0", "").status == 404)
      #expect(names(container) == ["." + id])
      // What is wrong once is not received any more.
      #expect(try await post(target + "&step=file&file=0&drop=" + id, "12345").status == 400)
      #expect(try await post(target + "&step=file&file=0&drop=" + id, "12").status == 404)
      #expect(names(container) == [] && received() == [])
    }
  }

  @Test("show an image at its address, and nowhere else") func imageAddresses() async throws {
    let host = WindowHost(sessions: try Stagehand().sessions, content: Text("Content"))
    let png = try #require(ImageTests.beginnings[.png])
    let path = host.images.path(of: ImageFile(name: "a") { png })
    let page = host.images.path(of: ImageFile(name: "b") { Array("<html>".utf8) })
    try await serving(host) { (port, _) async throws in
      let image = try await response(port, path)
      #expect(image.status == 200 && image.body == png)
      #expect(try await response(port, page).status == 404)
      #expect(try await response(port, "/image/a").status == 404)
    }
  }

  @Test("of a second app are on the next port") func ports() async throws {
    func host() throws -> WindowHost {
      WindowHost(sessions: try Stagehand().sessions, content: Text("Content"))
    }
    try await serving(host()) { (first, _) async throws in
      try await serving(host()) { (second, _) async throws in
        #expect(first != second)
      }
    }
  }
}
