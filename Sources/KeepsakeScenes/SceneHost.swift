/// What shows an app's windows: any toolkit for user interfaces.
///
/// A host opens ``SceneSessions`` when it starts, takes a session for each window, runs what it does
/// for a window inside `SceneSession.$current.withValue(session)`, and sets the session's phase.
public protocol SceneHost: AnyObject, Sendable {
  /// Shows a window again, because something it depends on changed; called on any thread, with no lock
  /// held.
  func invalidate(_ session: SceneSession)

  /// Takes leave of a window whose session ended.
  func discard(_ session: SceneSession)
}
