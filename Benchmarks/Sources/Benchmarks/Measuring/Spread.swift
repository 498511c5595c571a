/// The middle of some numbers, and how far apart they lie.
struct Spread {
  let median: Double
  let least: Double
  let greatest: Double

  init(_ numbers: [Double]) {
    median = numbers.quantile(0.5)
    least = numbers.min() ?? .nan
    greatest = numbers.max() ?? .nan
  }
}

extension [Double] {
  /// The number that a share of all numbers lies below.
  func quantile(_ share: Double) -> Double {
    let sorted = sorted()
    guard let last = sorted.last else { return .nan }
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    if below + 1 >= sorted.count { return last }
    return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
  }
}
