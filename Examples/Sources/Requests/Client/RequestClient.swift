import Foundation
import HTTPTypes
import Keepsake

/// Sends requests through adapters and a transport.
struct RequestClient: Sendable {
  private let adapters: [any RequestAdapter]
  private let transport: any Transport

  /// A client.
  ///
  /// - Parameter adapters: What each request passes, in this order.
  init(adapters: [any RequestAdapter] = [], transport: some Transport) {
    self.adapters = adapters
    self.transport = transport
  }

  /// Sends a request and decodes its response.
  ///
  /// - Throws: ``RequestError``.
  func send<Response>(_ request: Request<Response>) async throws -> Response {
    let bytes = try await Self.body(of: send(Self.outgoing(request), through: adapters[...]))
    do {
      return try request.decode(bytes)
    } catch {
      throw RequestError(.undecodable, "the response is not as expected", cause: error)
    }
  }

  /// The bytes at an address, which may be on another server than the base URL's.
  ///
  /// - Throws: ``RequestError``.
  func data(from url: URL) async throws -> [UInt8] {
    try await Self.body(
      of: send(OutgoingRequest(HTTPRequest(method: .get, url: url)), through: adapters[...]))
  }

  private static func body(of response: IncomingResponse) throws(RequestError) -> [UInt8] {
    if response.head.status.kind == .successful { return response.body }
    throw RequestError(
      .status(response.head.status.code), "the server answered \(response.head.status)")
  }

  private func send(
    _ request: OutgoingRequest, through adapters: ArraySlice<any RequestAdapter>
  ) async throws -> IncomingResponse {
    guard let adapter = adapters.first else { return try await transport.send(request) }
    return try await adapter.send(request) { request in
      try await send(request, through: adapters.dropFirst())
    }
  }

  private static func outgoing<Response>(_ request: Request<Response>) throws -> OutgoingRequest {
    do {
      var path = request.path.string
      if let query = try request.query.map(Query.string), !query.isEmpty { path += "?" + query }
      var head = HTTPRequest(
        method: request.method, scheme: nil, authority: nil, path: path,
        headerFields: request.headerFields)
      guard let value = request.body else { return OutgoingRequest(head) }
      let encoder = JSON.Encoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      head.headerFields[.contentType] = "application/json"
      return OutgoingRequest(head, body: try encoder.encodeToBytes(value))
    } catch let error as RequestError {
      throw error
    } catch {
      throw RequestError(.invalidRequest, "the request cannot be encoded", cause: error)
    }
  }
}
