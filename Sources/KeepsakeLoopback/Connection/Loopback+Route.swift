#if Console
extension Loopback {
  /// What a server does with the requests for one method and path.
  public enum Route: Sendable {
    /// Answers each request of this machine: the page itself, its scripts and images, which contain nothing
    /// that only the user may see.
    case open(@Sendable (Loopback.Request) async -> Loopback.Response)
    /// Answers a request with a body, of the server's own page that has the token.
    ///
    /// - Parameter limit: The greatest length of the body, in bytes.
    case upload(limit: Int, @Sendable (Loopback.Request) async -> Loopback.Response)
    /// Exchanges messages with the server's own page that has the token (RFC 6455), until the closure returns
    /// or the page has gone.
    case socket(@Sendable (Loopback.Request, Loopback.Socket) async -> Void)
  }
}
#endif
