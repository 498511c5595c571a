/// What a contestant is to reach.
struct Target {
  enum Limit {
    /// A multiple of the time that another takes in the same rounds.
    case times(Double, of: String)
    /// How many times as fast as another in the same rounds.
    case asFast(Double, as: String)
    /// A time, where no peer's could stand for the machine's speed.
    case seconds(Double)
  }

  /// Whose target it is.
  let name: String
  let limit: Limit
  /// What the target was written down as.
  var meaning: String?

  /// What is shown of a target, and whether it was reached.
  struct Verdict {
    var words: String
    var isMet: Bool
  }

  func verdict(in measurements: Measurements) -> Verdict {
    let meaning = meaning.map { " (\($0))" } ?? ""
    switch limit {
    case .times(let factor, let other):
      let ratio = measurements.ratio(of: name, to: other).median
      return Verdict(
        words: "≤ \(Format.ratio(factor)) × \(other)\(meaning): \(Format.ratio(ratio)) ×",
        isMet: ratio <= factor)
    case .asFast(let factor, let other):
      let ratio = measurements.ratio(of: other, to: name).median
      return Verdict(
        words:
          "≥ \(Format.ratio(factor)) × as fast as \(other)\(meaning): \(Format.ratio(ratio)) ×",
        isMet: ratio >= factor)
    case .seconds(let limit):
      let time = measurements.time(of: name).median
      return Verdict(
        words: "≤ \(Format.time(limit))\(meaning): \(Format.time(time))", isMet: time <= limit)
    }
  }
}
