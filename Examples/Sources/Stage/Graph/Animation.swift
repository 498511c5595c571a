/// How the page moves from an old picture to a new one.
public struct Animation: Sendable, Encodable {
  private let duration: Double
  private let curve: String

  /// A movement that starts and ends gently.
  public static let `default` = easeInOut(duration: 0.35)

  /// A movement that starts and ends gently, in a number of seconds.
  public static func easeInOut(duration: Double) -> Animation {
    Animation(duration: duration, curve: "ease-in-out")
  }

  /// A movement of even speed, in a number of seconds.
  public static func linear(duration: Double) -> Animation {
    Animation(duration: duration, curve: "linear")
  }
}
