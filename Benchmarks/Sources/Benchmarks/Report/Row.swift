/// One line of the table.
struct Row {
  /// What an amount is of.
  enum Unit { case seconds, bytes }

  let work: String
  let name: String
  /// `nil` where it never came.
  var amount: Double?
  var unit = Unit.seconds
  var ratio: Spread?
  var targets: [Target.Verdict] = []
  /// What is said in place of an amount.
  var remark: String?

  var cells: [String] {
    [
      work, name,
      remark ?? amount.map { unit == .seconds ? Format.time($0) : Format.size($0) } ?? "never",
      ratio.map { "\(Format.ratio($0.median)) ×" } ?? "",
      ratio.map { "\(Format.ratio($0.least))–\(Format.ratio($0.greatest))" } ?? "",
      targets.map(\.words).joined(separator: "; "),
      targets.map { $0.isMet ? "yes" : "**no**" }.joined(separator: "; "),
    ]
  }
}
