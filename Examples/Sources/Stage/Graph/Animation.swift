/// How the page moves from an old picture to a new one.
public struct Animation: Sendable, Encodable {
  private let duration: Double
  private let curve: String

  /// A movement that starts and ends gently.
  public static let `default` = Animation(duration: 0.35, curve: "ease-in-out")
}
