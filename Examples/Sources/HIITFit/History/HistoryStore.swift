import Stage

/// The exercises that were finished: one document for each day on which there was one.
@MainActor
final class HistoryStore: ObservableObject {
  /// The days, the latest first.
  @Published private(set) var days: [ExerciseDay] = []

  /// Appends an exercise that has just been finished.
  func add(_ exercise: String, at date: Date = Date()) {
    let entry = ExerciseDay.Entry(date: date, exercise: exercise)
    let name = ExerciseDay.name(of: date)
    if let index = days.firstIndex(where: { $0.id == name }) {
      days[index].entries.append(entry)
    } else {
      days.append(ExerciseDay(id: name, entries: [entry]))
      days.sort { $0.id > $1.id }
    }
  }

  /// How much was done on each of the last days, the latest of them last.
  func lastDays(
    _ count: Int, until end: Date = Date(), in calendar: Calendar = .current
  ) -> [HistoryChart.Day] {
    let counts = Dictionary(uniqueKeysWithValues: days.map { ($0.id, $0.entries.count) })
    return (0..<count).reversed().compactMap { back in
      calendar.date(byAdding: .day, value: -back, to: end).map { date in
        let name = ExerciseDay.name(of: date, in: calendar)
        return HistoryChart.Day(
          id: name, label: date.formatted(.dateTime.weekday(.abbreviated)),
          count: counts[name] ?? 0)
      }
    }
  }
}
