import Stage

extension Card {
  /// A place for a new element, at which it covers as little as possible of the others: the highest
  /// one.
  func freeOffset(for size: CGSize) -> CGSize {
    func steps(_ length: Double, in side: Double) -> [Double] {
      stride(from: 0, through: max(0, (side - length) / 2 - 40), by: 50).flatMap { [$0, -$0] }
    }
    let boxes = elements.map(\.shownTransform.bounds)
    func cost(_ box: CGRect) -> Double {
      boxes.reduce(0) { sum, other in
        let width = min(box.maxX, other.maxX) - max(box.minX, other.minX)
        let height = min(box.maxY, other.maxY) - max(box.minY, other.minY)
        // Where all is covered, at least no element lies exactly on another.
        let isHidden = abs(box.midX - other.midX) < 45 && abs(box.midY - other.midY) < 45
        return sum + max(0, width) * max(0, height) * (isHidden ? 10 : 1)
      }
    }
    let room = Settings.cardSize
    var best = (cost: Double.infinity, offset: CGSize.zero)
    for y in steps(size.height, in: room.height).sorted() {
      for x in steps(size.width, in: room.width) {
        let cost = cost(
          CGRect(
            x: x - size.width / 2, y: y - size.height / 2, width: size.width, height: size.height))
        if cost < best.cost { best = (cost, CGSize(width: x, height: y)) }
      }
    }
    return best.offset
  }
}

extension Transform {
  /// The box around the element, in distances from the middle of the card.
  fileprivate var bounds: CGRect {
    let (sine, cosine) = (abs(sin(rotation.radians)), abs(cos(rotation.radians)))
    let width = size.width * cosine + size.height * sine
    let height = size.width * sine + size.height * cosine
    return CGRect(
      x: offset.width - width / 2, y: offset.height - height / 2, width: width, height: height)
  }

  /// The nearest size and place at which the element can be taken hold of: its middle is on the card.
  var reachable: Transform {
    func within(_ number: Double, _ range: ClosedRange<Double>) -> Double {
      min(max(number, range.lowerBound), range.upperBound)
    }
    let (width, height) = (Settings.cardSize.width / 2, Settings.cardSize.height / 2)
    var transform = self
    transform.size = CGSize(
      width: within(size.width, 20...10_000), height: within(size.height, 20...10_000))
    transform.offset = CGSize(
      width: within(offset.width, -width...width), height: within(offset.height, -height...height))
    return transform
  }
}

extension CGSize {
  /// The largest size of the same form that fits into another.
  func fitted(in room: CGSize) -> CGSize {
    let factor = min(room.width / max(width, 1), room.height / max(height, 1))
    // A very long and narrow image can still be taken hold of.
    return CGSize(width: max(width * factor, 40), height: max(height * factor, 40))
  }
}
