#if !Commands
/// Commands about what an app keeps. Unavailable: the trait `Commands` is off.
@available(*, unavailable, message: "Enable the trait `Commands` of the package keepsake")
public enum AppCommands {
  /// Commands about the app that contains them.
  public static var ofThisApp: [Any.Type] { [] }

  /// Commands whose first argument is the identifier of an app.
  public static var ofAnyApp: [Any.Type] { [] }
}
#endif
