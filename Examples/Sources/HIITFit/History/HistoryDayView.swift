import Stage

/// One day of the history.
struct HistoryDayView: View {
  let day: ExerciseDay

  var body: some View {
    VStack(alignment: .leading, spacing: 6) {
      Text(day.entries.first?.date.formatted(date: .complete, time: .omitted) ?? day.id)
        .font(.headline)
      ForEach(day.entries) { entry in
        HStack {
          Text(entry.exercise)
          Spacer()
          Text(entry.date.formatted(date: .omitted, time: .shortened))
            .foregroundColor(.secondary)
        }
      }
    }
  }
}
