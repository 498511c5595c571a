import Stage

/// One day of the history, with what was finished last at the top.
struct HistoryDayView: View {
  let day: ExerciseDay
  let remove: @MainActor (ExerciseDay.Entry) -> Void

  var body: some View {
    VStack(alignment: .leading, spacing: 6) {
      Text(day.entries.first?.date.formatted(date: .complete, time: .omitted) ?? day.id)
        .font(.headline)
        .accessibilityHeading(.h3)
      VStack(spacing: 0) {
        ForEach(day.entries.sorted { $0.date > $1.date }) { entry in
          let time = entry.date.formatted(date: .omitted, time: .shortened)
          HStack {
            Text(entry.exercise)
            Spacer()
            HStack {
              Text(time)
              Button {
                remove(entry)
              } label: {
                Image(systemName: "trash")
                  .padding(6)
              }
              .buttonStyle(.plain)
              .accessibilityLabel("Remove \(entry.exercise), \(time)")
            }
            .foregroundColor(.secondary)
          }
          .accessibilityListItem()
        }
      }
      .accessibilityList("Exercises")
    }
  }
}
