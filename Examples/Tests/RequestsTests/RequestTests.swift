import HTTPTypes
import Keepsake
import KeepsakeConfiguration
import Testing

@testable import Requests

@Suite("A request") struct RequestTests {
  struct Search: Encodable {
    var searchText: String
    var years: [Int]
    var isExact: Bool
    var region: String?
  }

  @Test("is sent with the method, path, query and body of its value") func value() async throws {
    let server = FakeServer { _ in IncomingResponse(.ok, Array(#"{"total_pages": 3}"#.utf8)) }
    struct Total: Decodable, Sendable { var totalPages: Int }
    let search = Search(searchText: "a&b=c/ü", years: [1999, 2001], isExact: true)
    let request = Request<Total>(
      .post, path: "search/\(7)", query: search, body: ["firstName": "x"])
    #expect(try await RequestClient(transport: server).send(request).totalPages == 3)
    let sent = try #require(server.requests.first)
    #expect(sent.head.method == .post)
    #expect(
      sent.head.path
        == "search/7?search_text=a%26b%3Dc%2F%C3%BC&years=1999&years=2001&is_exact=true")
    #expect(sent.body == Array(#"{"firstName":"x"}"#.utf8))
    #expect(sent.head.headerFields[.contentType] == "application/json")
  }

  @Test("has interpolated values as single components of its path")
  func path() {
    let id = "../a/b?c#d e"
    #expect(("movie/\(id)/credits" as RequestPath).string == "movie/..%2Fa%2Fb%3Fc%23d%20e/credits")
    #expect(("\("..")/x" as RequestPath).string == "%2E%2E/x")
  }

  @Test("whose query cannot be text is not sent") func nestedQuery() async throws {
    let server = FakeServer { _ in IncomingResponse(.ok) }
    let request = Request<Int>(path: "x", query: ["a": ["b": 1]])
    let error = await #expect(throws: RequestError.self) {
      try await RequestClient(transport: server).send(request)
    }
    #expect(error?.description.contains("'a'") == true)
    #expect(server.requests.isEmpty)
  }

  @Test("has a typed error for a status, and for a response of another form")
  func failures() async throws {
    let request = Request<Int>(path: "x")
    let missing = RequestClient(transport: FakeServer { _ in IncomingResponse(.notFound) })
    var error = await #expect(throws: RequestError.self) { try await missing.send(request) }
    guard case .status(404) = error?.code else { return #expect(Bool(false), "\(error as Any)") }
    let text = RequestClient(
      transport: FakeServer { _ in IncomingResponse(.ok, Array("<html>".utf8)) })
    error = await #expect(throws: RequestError.self) { try await text.send(request) }
    guard case .undecodable = error?.code else { return #expect(Bool(false), "\(error as Any)") }
    #expect(error?.description.contains("line 1") == true)
  }

  @Test("goes to the address that the configuration has at that moment")
  func baseURL() async throws {
    let server = FakeServer { _ in IncomingResponse(.ok, Array("1".utf8)) }
    let configuration = try EnvironmentConfiguration(
      dictionary: ["BaseURL": "https://api.example:8443/3/"])
    let client = RequestClient(
      adapters: [BaseURLAdapter(configuration, key: "BaseURL")], transport: server)
    _ = try await client.send(Request<Int>(path: "movie/popular"))
    try configuration.setOverride("http://127.0.0.1", for: "BaseURL")
    _ = try await client.send(Request<Int>(path: "movie/popular", query: ["page": 2]))
    #expect(
      server.requests.map(\.address) == [
        "https://api.example:8443/3/movie/popular", "http://127.0.0.1/movie/popular?page=2",
      ])
    try configuration.setOverride("file:///etc/passwd", for: "BaseURL")
    let error = await #expect(throws: RequestError.self) {
      try await client.send(Request<Int>(path: "movie/popular"))
    }
    guard case .noBaseURL = error?.code else { return #expect(Bool(false), "\(error as Any)") }
    #expect(server.requests.count == 2)
  }

  @Test("is logged without what is secret") func logging() async throws {
    let lines = Box<[String]>([])
    let server = FakeServer { _ in IncomingResponse(.ok, Array("1".utf8)) }
    var request = Request<Int>(
      .put, path: "x", query: ["apiKey": "s3cret1", "page": "2"], body: ["password": "s3cret2"])
    request.headerFields[.authorization] = "Bearer s3cret3"
    request.headerFields[HTTPField.Name("X-Anything")!] = "s3cret4"
    let client = RequestClient(
      adapters: [LoggingAdapter { line in lines.change { $0.append(line) } }], transport: server)
    _ = try await client.send(request)
    let line = try #require(lines.value.first)
    #expect(!line.contains("s3cret"), "\(line)")
    #expect(line.contains("page=2"))
    #expect(line.contains("PUT x?"))
    #expect(line.contains(": 200, 1 bytes after"))
  }
}
