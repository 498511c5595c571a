import Stage

/// The exercises that were finished on one day.
struct ExerciseDay: Codable, Identifiable, Sendable {
  /// One exercise that was finished.
  struct Entry: Codable, Identifiable, Sendable {
    var id = UUID()
    let date: Date
    let exercise: String
  }

  /// The day, written like `2026-11-21`.
  let id: String
  var entries: [Entry] = []
}

extension ExerciseDay {
  /// The name of the day that a moment belongs to, where the user is.
  static func name(of date: Date, in calendar: Calendar = .current) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return [digits(parts.year, 4), digits(parts.month, 2), digits(parts.day, 2)]
      .joined(separator: "-")
  }
}
