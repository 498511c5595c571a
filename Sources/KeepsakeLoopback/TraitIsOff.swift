#if !Console
extension Loopback {
  /// An HTTP server for the pages of an app. Unavailable: the trait `Console` is off.
  @available(*, unavailable, message: "Enable the trait `Console` of the package keepsake")
  public final class Server {}
}

extension Loopback {
  /// The secret that a page must know. Unavailable: the trait `Console` is off.
  @available(*, unavailable, message: "Enable the trait `Console` of the package keepsake")
  public struct Token {
    /// A new token.
    public init() {}
  }
}
#endif
