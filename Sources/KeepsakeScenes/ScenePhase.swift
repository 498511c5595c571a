/// What a window is to the person at the screen.
public enum ScenePhase: Int, Comparable, Hashable, Sendable, CaseIterable {
  /// It is not seen.
  case background
  /// It is seen, but something else has the person's attention.
  case inactive
  /// It has the person's attention.
  case active

  /// Whether one phase is further from the person than another.
  public static func < (first: ScenePhase, second: ScenePhase) -> Bool {
    first.rawValue < second.rawValue
  }
}
