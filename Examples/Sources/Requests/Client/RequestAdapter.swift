/// What changes every request of a client, or sends it again.
protocol RequestAdapter: Sendable {
  /// Sends a request through the following adapters and the transport.
  ///
  /// - Parameter next: Sends it; it may be called several times.
  func send(
    _ request: OutgoingRequest,
    through next: @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) async throws -> IncomingResponse
}
