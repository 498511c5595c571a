/// The seconds that one time of the work took, by contestant, one number for each round.
struct Measurements {
  /// The contestants in the order of their rows.
  private(set) var names: [String]
  private var seconds: [String: [Double]] = [:]

  /// - Parameter names: The contestants that come first, in any order in which their numbers are added.
  init(of names: [String] = []) { self.names = names }

  mutating func add(_ number: Double, of name: String) {
    if !names.contains(name) { names.append(name) }
    seconds[name, default: []].append(number)
  }

  func time(of name: String) -> Spread { Spread(seconds[name] ?? []) }

  /// How many times the other's time a contestant takes, round by round.
  ///
  /// A round's two turns are neighbours, so that a machine that is slow for a while is slow for both.
  func ratio(of name: String, to other: String) -> Spread {
    Spread(zip(seconds[name] ?? [], seconds[other] ?? []).map { $0 / $1 })
  }

  var rounds: Int { seconds.values.first?.count ?? 0 }

  /// One row for each contestant.
  ///
  /// - Parameters:
  ///   - reference: Whose time the ratios are of.
  ///   - targets: What contestants are to reach.
  func rows(
    _ work: String, reference: String, targets: [Target] = [],
    unit: Row.Unit = .seconds
  ) -> [Row] {
    names.map { name in
      Row(
        work: work, name: name, amount: time(of: name).median, unit: unit,
        ratio: name == reference ? nil : ratio(of: name, to: reference),
        targets: targets.filter { $0.name == name }.map { $0.verdict(in: self) })
    }
  }
}
