#if !Console
/// An HTTP server for the pages of an app. Unavailable: the trait `Console` is off.
@available(*, unavailable, message: "Enable the trait `Console` of the package keepsake")
public final class LoopbackServer {}

/// The secret that a page must know. Unavailable: the trait `Console` is off.
@available(*, unavailable, message: "Enable the trait `Console` of the package keepsake")
public struct LoopbackToken {
  /// A new token.
  public init() {}
}
#endif
