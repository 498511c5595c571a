import Stage

/// What was finished, by day.
struct HistoryView: View {
  /// An entry that was removed, while it can be brought back.
  private struct Removal: Sendable {
    let entry: ExerciseDay.Entry
    let day: String
  }

  @EnvironmentObject private var history: HistoryStore
  @EnvironmentObject private var configuration: LiveConfiguration<HIITFitConfiguration>
  @State private var removals: [Removal] = []
  let done: @MainActor () -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: 20) {
      Toolbar(.top, label: "History") {
        Text("History")
          .font(.title2)
          .accessibilityAddTraits(.isHeader)
        HStack {
          if let last = removals.last {
            Button {
              if history.insert(last.entry, into: last.day) { removals.removeLast() }
            } label: {
              Label("Undo", systemImage: "arrow.uturn.backward")
            }
            .buttonStyle(.bordered)
            .keyboardShortcut("z")
            .help("Bring \(last.entry.exercise) back")
          }
          Button("Done") { done() }
            .buttonStyle(.bordered)
        }
      }
      if let last = removals.last {
        Text("\(last.entry.exercise) removed")
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
          HistoryDayView(day: day) { entry in
            if history.remove(entry, from: day.id) {
              removals.append(Removal(entry: entry, day: day.id))
            }
          }
        }
      }
    }
  }
}
