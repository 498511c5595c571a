import HTTPTypes
import Keepsake

/// A request and how its response is decoded, as a value.
///
/// ```swift
/// extension Request where Response == Page<Movie> {
///   static func popularMovies(page: Int) -> Self { Request(path: "movie/popular", query: ["page": page]) }
/// }
/// let movies = try await client.send(.popularMovies(page: 1))
/// ```
struct Request<Response: Sendable>: Sendable {
  /// The HTTP method.
  var method: HTTPRequest.Method
  /// The path, relative to the base URL that an adapter adds.
  var path: RequestPath
  /// A value whose properties are the query.
  var query: (any Encodable & Sendable)?
  /// A value that is sent as JSON.
  var body: (any Encodable & Sendable)?
  /// Header fields besides those that adapters add.
  var headerFields: HTTPFields = [:]
  /// Makes the response of a successful request.
  let decode: @Sendable ([UInt8]) throws -> Response

  /// A request whose response is decoded by a function.
  init(
    _ method: HTTPRequest.Method = .get, path: RequestPath,
    query: (any Encodable & Sendable)? = nil, body: (any Encodable & Sendable)? = nil,
    decode: @escaping @Sendable ([UInt8]) throws -> Response
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.decode = decode
  }

  /// A request whose response is JSON with keys in snake case.
  init(
    _ method: HTTPRequest.Method = .get, path: RequestPath,
    query: (any Encodable & Sendable)? = nil, body: (any Encodable & Sendable)? = nil
  ) where Response: Decodable {
    self.init(method, path: path, query: query, body: body) { bytes in
      let decoder = JSON.Decoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try decoder.decode(Response.self, from: bytes)
    }
  }
}
