import HTTPTypes

/// A response as transports receive it.
struct IncomingResponse: Sendable {
  /// Status and header fields.
  var head: HTTPResponse
  /// The body.
  var body: [UInt8]

  init(_ status: HTTPResponse.Status, _ body: [UInt8] = []) {
    head = HTTPResponse(status: status)
    self.body = body
  }

  init(_ head: HTTPResponse, body: [UInt8]) {
    self.head = head
    self.body = body
  }
}
