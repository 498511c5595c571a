/// What sends a request to a server: `URLSession`, or a closure in tests.
protocol Transport: Sendable {
  /// Sends a request and receives the response, of any status.
  ///
  /// - Throws: ``RequestError`` with `unreachable` or `tooLarge`.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}
