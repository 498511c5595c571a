import Stage

/// The exercises that were finished: one document for each day on which there was one.
@MainActor
final class HistoryStore: ObservableObject {
  /// The days on which something was finished, the latest first.
  var days: [ExerciseDay] {
    known.values.filter { !$0.entries.isEmpty }.sorted { $0.id > $1.id }
  }
  /// What the user should know, such as a day that cannot be read.
  @Published private(set) var problem: String?

  /// What was removed in this run and can be brought back, the last of it at the end.
  @Published private var removals: [(entry: ExerciseDay.Entry, day: String)] = []

  /// The days by name, also those whose entries were all removed. The file of such a day stays: to
  /// remove it could remove what another process is adding.
  @Published private var known: [String: ExerciseDay] = [:]
  private let documents: DocumentStore<ExerciseDay>?

  /// Opens the history in the directory of an app's documents, and reads it: a window that shows it is
  /// restored with all of it, so that it is scrolled where it was.
  init(in container: AppContainer = .main) {
    do {
      documents = try DocumentStore(directory: container.documents, pathExtension: "workouts")
    } catch {
      documents = nil
      report(error)
    }
    do throws(DocumentError) {
      for id in try documents?.ids() ?? [] {
        do throws(DocumentError) {
          known[id] = try documents?.load(id)
        } catch {
          report(error)
        }
      }
    } catch {
      report(error)
    }
  }

  /// Appends an exercise that has just been finished; it is kept when this returns.
  func add(_ exercise: String, at date: Date = Date()) {
    insert(.init(date: date, exercise: exercise), into: ExerciseDay.name(of: date))
  }

  /// Puts an entry, such as one that was removed, where it belongs in a day.
  @discardableResult
  func insert(_ entry: ExerciseDay.Entry, into day: String) -> Bool {
    edit(day) { day in
      guard !day.entries.contains(where: { $0.id == entry.id }) else { return }
      let index = day.entries.firstIndex { $0.date > entry.date } ?? day.entries.count
      day.entries.insert(entry, at: index)
    }
  }

  /// Removes an entry from a day, and says whether it is gone.
  @discardableResult
  func remove(_ entry: ExerciseDay.Entry, from day: String) -> Bool {
    guard edit(day, { $0.entries.removeAll { $0.id == entry.id } }) else { return false }
    removals.append((entry, day))
    return true
  }

  /// The entry that was removed last.
  var lastRemoved: ExerciseDay.Entry? { removals.last?.entry }

  /// Brings the entry back that was removed last.
  func undoRemoval() {
    guard let (entry, day) = removals.last, insert(entry, into: day) else { return }
    removals.removeLast()
  }

  private func edit(_ name: String, _ change: (inout ExerciseDay) -> Void) -> Bool {
    do throws(DocumentError) {
      while true {
        var day = try self.day(name)
        change(&day)
        do throws(DocumentError) {
          try documents?.save(day)
          known[name] = day
          return true
        } catch {
          // Another process has changed the day: what it wrote is read, and changed.
          guard error.code == .conflict else { throw error }
          known[name] = nil
        }
      }
    } catch {
      report(error)
      return false
    }
  }

  private func day(_ name: String) throws(DocumentError) -> ExerciseDay {
    if let day = known[name] { return day }
    do throws(DocumentError) {
      return try documents?.load(name) ?? ExerciseDay(id: name)
    } catch {
      guard error.code == .notFound else { throw error }
      return ExerciseDay(id: name)
    }
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
          id: name, label: date.formatted(.dateTime.weekday(count > 7 ? .narrow : .abbreviated)),
          count: counts[name] ?? 0)
      }
    }
  }
}
