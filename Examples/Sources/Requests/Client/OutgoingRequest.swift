import HTTPTypes

/// A request as adapters and transports send it.
struct OutgoingRequest: Sendable {
  /// Method, address and header fields; without an authority until an adapter adds the base URL.
  var head: HTTPRequest
  /// The body.
  var body: [UInt8]?

  /// The server that it is for, with the scheme: a token for HTTPS is not for HTTP.
  var origin: String { "\(head.scheme ?? "")://\(head.authority ?? "")" }

  init(_ head: HTTPRequest, body: [UInt8]? = nil) {
    self.head = head
    self.body = body
  }
}
