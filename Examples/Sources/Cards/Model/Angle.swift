/// How far something is turned, clockwise.
struct Angle: Hashable, Sendable {
  /// The angle in degrees.
  var degrees: Double

  /// Makes an angle of degrees.
  init(degrees: Double = 0) {
    self.degrees = degrees
  }

  /// Makes an angle of radians.
  init(radians: Double) {
    degrees = radians * 180 / .pi
  }

  /// The angle in radians.
  var radians: Double {
    get { degrees * .pi / 180 }
    set { degrees = newValue * 180 / .pi }
  }

  /// Not turned.
  static let zero = Angle()

  /// An angle of degrees.
  static func degrees(_ degrees: Double) -> Angle { Angle(degrees: degrees) }
}
