import Stage

/// The exercises that were finished: one document for each day on which there was one.
@MainActor
final class HistoryStore: ObservableObject {
  /// The days, the latest first.
  @Published private(set) var days: [ExerciseDay] = []
  /// What the user should know, such as a day that cannot be read.
  @Published private(set) var problem: String?

  private let documents: DocumentStore<ExerciseDay>?

  /// Opens the history in the directory of an app's documents, and begins to read it.
  init(in container: AppContainer = .main) {
    do {
      documents = try DocumentStore(directory: container.documents, pathExtension: "workouts")
      Task { await load() }
    } catch {
      documents = nil
      report(error)
    }
  }

  private func load() async {
    guard let documents else { return }
    for await item in documents.loadAll() {
      switch item.result {
      case .success(let day):
        // What was finished meanwhile is newer.
        if !days.contains(where: { $0.id == day.id }) { show(day) }
      case .failure(let error):
        report(error)
      }
    }
  }

  /// Appends an exercise that has just been finished; it is kept when this returns.
  func add(_ exercise: String, at date: Date = Date()) {
    do throws(DocumentError) {
      try append(.init(date: date, exercise: exercise), to: ExerciseDay.name(of: date))
    } catch {
      report(error)
    }
  }

  private func append(
    _ entry: ExerciseDay.Entry, to name: String
  ) throws(DocumentError) {
    while true {
      var day = try self.day(name)
      day.entries.append(entry)
      do throws(DocumentError) {
        try documents?.save(day)
        return show(day)
      } catch {
        // Another process has added to the day: what it wrote is read, and added to.
        guard error.code == .conflict else { throw error }
        days.removeAll { $0.id == name }
      }
    }
  }

  private func day(_ name: String) throws(DocumentError) -> ExerciseDay {
    if let day = days.first(where: { $0.id == name }) { return day }
    do throws(DocumentError) {
      return try documents?.load(name) ?? ExerciseDay(id: name)
    } catch {
      guard error.code == .notFound else { throw error }
      return ExerciseDay(id: name)
    }
  }

  private func show(_ day: ExerciseDay) {
    days = (days.filter { $0.id != day.id } + [day]).sorted { $0.id > $1.id }
  }

  private func report(_ error: DocumentError) {
    print(error)
    problem = "\(error)"
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
