#if Console
/// What a server does with the requests for one method and path.
public enum LoopbackRoute: Sendable {
  /// Answers each request of this machine: the page itself, its scripts and images, which contain nothing
  /// that only the user may see.
  case open(@Sendable (LoopbackRequest) async -> LoopbackResponse)
  /// Answers a request with a body, of the server's own page that has the token.
  ///
  /// - Parameter limit: The greatest length of the body, in bytes.
  case upload(limit: Int, @Sendable (LoopbackRequest) async -> LoopbackResponse)
  /// Exchanges messages with the server's own page that has the token (RFC 6455), until the closure returns
  /// or the page has gone.
  case socket(@Sendable (LoopbackRequest, LoopbackSocket) async -> Void)
}
#endif
