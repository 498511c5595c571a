import Stage

/// What was finished, by day.
struct HistoryView: View {
  @EnvironmentObject private var history: HistoryStore
  @EnvironmentObject private var configuration: LiveConfiguration<HIITFitConfiguration>
  let done: @MainActor () -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: 20) {
      Toolbar(.top, label: "History") {
        Text("History")
          .font(.title2)
          .accessibilityAddTraits(.isHeader)
        HStack {
          if let last = history.lastRemoved {
            Button {
              history.undoRemoval()
            } label: {
              Label("Undo", systemImage: "arrow.uturn.backward")
            }
            .buttonStyle(.bordered)
            .keyboardShortcut("z")
            .help("Bring \(last.exercise) back")
          }
          Button("Done") { done() }
            .buttonStyle(.bordered)
        }
      }
      if let last = history.lastRemoved {
        Text("\(last.exercise) removed")
          .font(.caption)
          .foregroundColor(.secondary)
          .accessibilityStatus()
      }
      if let problem = history.problem {
        VStack(alignment: .leading, spacing: 4) {
          Text("A day of the history could not be read or kept. Its file was left as it is.")
            .foregroundColor(.red)
          DisclosureGroup("Details") { Text(problem).font(.caption) }
        }
        .accessibilityStatus()
      }
      if history.days.isEmpty {
        Text("Nothing yet. What you finish is listed here.")
          .foregroundColor(.secondary)
      } else {
        HistoryChart(days: history.lastDays(configuration.chartedDays))
          .frame(maxWidth: .infinity)
        ForEach(history.days) { day in
          HistoryDayView(day: day) { history.remove($0, from: day.id) }
        }
      }
    }
  }
}
