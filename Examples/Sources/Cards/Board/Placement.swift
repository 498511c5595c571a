import Stage

/// Where a view is on a `Board`, how large, and how far it is turned.
struct Placement: Equatable, Sendable {
  /// The size, in the board's units.
  var size: CGSize
  /// How far the view is turned around its middle.
  var rotation: Angle
  /// How far the view's middle is from the board's.
  var offset: CGSize

  /// Makes a placement of its parts.
  init(size: CGSize, rotation: Angle = .zero, offset: CGSize = .zero) {
    self.size = size
    self.rotation = rotation
    self.offset = offset
  }

  /// The placement that the page tells of, unless it is none: a size that is not there cannot be
  /// taken hold of again, and a place far out not be found again.
  init?(page numbers: [Double]) {
    guard numbers.count == 5, numbers.allSatisfy({ abs($0) <= Self.limit }), numbers[0] >= 1,
      numbers[1] >= 1
    else { return nil }
    size = CGSize(width: numbers[0], height: numbers[1])
    offset = CGSize(width: numbers[2], height: numbers[3])
    rotation = Angle(degrees: numbers[4])
  }

  /// The numbers as the page takes them; what a file says may be anything, and is drawn within limits.
  var page: String {
    [size.width, size.height, offset.width, offset.height, rotation.degrees].map { number in
      let number = number.isFinite ? min(max(number, -Self.limit), Self.limit) : 0
      let rounded = (number * 100).rounded() / 100
      return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }.joined(separator: " ")
  }

  private static let limit = 1_000_000.0
}
