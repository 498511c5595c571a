/// Rows as Markdown, in columns that line up in a terminal too.
struct Table {
  private static let head = ["work", "by", "median", "ratio", "min–max", "target", "met"]

  var rows: [Row]

  var markdown: String {
    var lines = [Self.head]
    var previous = ""
    for row in rows {
      var cells = row.cells
      if row.work == previous { cells[0] = "" }
      previous = row.work
      lines.append(cells)
    }
    let widths = Self.head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    var rendered = lines.map { cells in
      "| "
        + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: " | ") + " |"
    }
    rendered.insert(
      "| " + widths.map { String(repeating: "-", count: $0) }.joined(separator: " | ") + " |",
      at: 1)
    return rendered.joined(separator: "\n")
  }

  /// How many targets there are, and how many were reached.
  var summary: String {
    let verdicts = rows.flatMap(\.targets)
    return "\(verdicts.count(where: \.isMet)) of \(verdicts.count) targets met"
  }
}
