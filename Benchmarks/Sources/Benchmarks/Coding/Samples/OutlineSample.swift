import Foundation

/// A text of the shape and size of `canada.json`: 112,000 doubles of 17 digits, in rings.
struct OutlineSample {
  private var random = SampleRandom(seed: 43)

  static func json() -> String {
    var sample = OutlineSample()
    return sample.outline().json(indentation: nil)
  }

  private mutating func outline() -> Node {
    var left = 56_000
    var rings: [Node] = []
    while left > 0 {
      let count = min(left, random.number(6...230))
      left -= count
      rings.append(ring(count))
    }
    return .members([
      ("type", "FeatureCollection"),
      (
        "features",
        .list([
          .members([
            ("type", "Feature"), ("properties", .members([("name", "Canada")])),
            ("geometry", .members([("type", "Polygon"), ("coordinates", .list(rings))])),
          ])
        ])
      ),
    ])
  }

  /// A walk in small steps, each place a millionth of a degree, printed to more digits than count.
  private mutating func ring(_ count: Int) -> Node {
    var x = random.number(-141_000_000 ... -52_000_000)
    var y = random.number(41_000_000...83_000_000)
    return .list(
      (0..<count).map { _ in
        x += random.number(-90_000...90_000)
        y += random.number(-90_000...90_000)
        return .list([coordinate(x), coordinate(y)])
      })
  }

  private func coordinate(_ millionths: Int) -> Node {
    .number(String(format: "%.15f", Double(millionths) / 1_000_000))
  }
}
