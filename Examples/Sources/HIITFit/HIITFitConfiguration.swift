import Stage

/// What the person who installs the app decides.
struct HIITFitConfiguration: Decodable, Sendable {
  let welcomeTitle: String
  let welcomeText: String
  let historyDays: Int
  let exerciseSeconds: Int?

  /// How many days the chart shows, which is never more than it has room for.
  var chartedDays: Int { min(max(historyDays, 1), 14) }

  /// How many seconds an exercise takes: one at least, an hour at most.
  var exerciseDuration: TimeInterval { TimeInterval(min(max(exerciseSeconds ?? 30, 1), 3600)) }

  /// The file that comes with the app.
  static var file: String { Bundle.module.bundleURL.appending(path: "config.plist").path }
}
