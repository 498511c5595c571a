/// How far something is turned, clockwise.
public struct Angle: Hashable, Sendable {
  /// The angle in degrees.
  public var degrees: Double

  /// Makes an angle of degrees.
  public init(degrees: Double = 0) {
    self.degrees = degrees
  }

  /// Makes an angle of radians.
  public init(radians: Double) {
    degrees = radians * 180 / .pi
  }

  /// The angle in radians.
  public var radians: Double {
    get { degrees * .pi / 180 }
    set { degrees = newValue * 180 / .pi }
  }

  /// Not turned.
  public static let zero = Angle()

  /// An angle of degrees.
  public static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
}
