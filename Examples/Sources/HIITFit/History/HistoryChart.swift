import Stage

/// How many exercises were finished on each of several days.
struct HistoryChart: View {
  struct Day: Identifiable {
    let id: String
    /// The day of the week, in short.
    let label: String
    let count: Int
  }

  let days: [Day]

  private var highest: Int { max(days.map(\.count).max() ?? 0, 4) }

  var body: some View {
    // Two weeks fit on a narrow phone, and so do the names of the days of one in a line each.
    let isDense = days.count > 7
    HStack(alignment: .bottom, spacing: isDense ? 2 : 8) {
      ForEach(days) { day in
        VStack(spacing: 4) {
          Text(day.count == 0 ? "" : "\(day.count)")
            .minimumScaleFactor(0.5)
          RoundedRectangle(cornerRadius: 6)
            .fill(day.count == 0 ? .gray.opacity(0.25) : .accentColor)
            .frame(
              width: isDense ? 16 : 28, height: 4 + 92 * CGFloat(day.count) / CGFloat(highest))
          Text(day.label)
            .minimumScaleFactor(0.5)
            .foregroundColor(.secondary)
        }
        .font(.caption)
        .accessibilityGroup("\(day.id): \(day.count)")
      }
    }
    .accessibilityGroup("Exercises of the last days")
  }
}
