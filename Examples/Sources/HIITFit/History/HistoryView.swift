import Stage

/// What was finished, by day.
struct HistoryView: View {
  @EnvironmentObject private var history: HistoryStore
  @EnvironmentObject private var configuration: LiveConfiguration<HIITFitConfiguration>
  let done: @MainActor () -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: 20) {
      HStack {
        Text("History")
          .font(.title2)
          .accessibilityAddTraits(.isHeader)
        Spacer()
        Button("Done") { done() }
          .buttonStyle(.bordered)
      }
      if let problem = history.problem {
        Text(problem)
          .font(.caption)
          .foregroundColor(.red)
          .accessibilityStatus()
      }
      if history.days.isEmpty {
        Text("Nothing yet. What you finish is listed here.")
          .foregroundColor(.secondary)
      } else {
        HistoryChart(days: history.lastDays(configuration.chartedDays))
          .frame(maxWidth: .infinity)
        ForEach(history.days) { day in
          HistoryDayView(day: day)
        }
      }
    }
  }
}
