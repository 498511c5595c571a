import KeepsakeTesting
import SystemPackage
import Testing

@testable import HIITFit
@testable import Stage

@Suite("The history of exercises")
@MainActor
struct HistoryTests {
  private let live = LiveConfiguration<HIITFitConfiguration>.bundled()

  private func content(_ history: HistoryStore) -> some View {
    HIITFit.ContentView().environmentObject(history).environmentObject(live)
  }

  private func loaded(_ stage: Stagehand, days: Int) async throws -> HistoryStore {
    let history = HistoryStore(in: stage.container)
    let deadline = ContinuousClock.now + .seconds(20)
    while history.days.count < days, .now < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    return history
  }

  @Test("What is finished stays when the tab changes, and when the program ends")
  func lasting() async throws {
    let stage = try Stagehand()
    let window = try stage.open(content(HistoryStore(in: stage.container)))
    try window.tap("Get Started")
    try window.tap("Done")
    #expect(window.texts.contains("Exercise 2 of 4"))
    try window.tap("Welcome")
    try window.tap("History")
    #expect(window.all { $0.tag == "dialog" }.first?.says("Squat") == true)

    // The next run begins with nothing but the directory.
    let nextRun = try Stagehand(after: stage)
    let history = try await loaded(nextRun, days: 1)
    let again = try nextRun.open(content(history))
    try again.tap("History")
    #expect(again.all { $0.tag == "dialog" }.first?.says("Squat") == true)
  }

  @Test("Every window sees what one of them finishes")
  func windows() throws {
    let stage = try Stagehand()
    let history = HistoryStore(in: stage.container)
    let (first, second) = (try stage.open(content(history)), try stage.open(content(history)))
    try second.tap("History")
    #expect(second.texts.contains { $0.hasPrefix("Nothing yet") })
    try first.tap("Burpee")
    try first.tap("Done")
    #expect(second.all { $0.tag == "dialog" }.first?.says("Burpee") == true)
  }

  @Test("Each day is a file of its own, the latest day comes first, and the chart counts")
  func days() async throws {
    let stage = try Stagehand()
    let calendar = Calendar.current
    let today = Date()
    let history = HistoryStore(in: stage.container)
    for (back, count) in [(0, 2), (2, 1), (9, 3)] {
      let date = try #require(calendar.date(byAdding: .day, value: -back, to: today))
      for _ in 0..<count { history.add("Squat", at: date) }
    }
    #expect(history.days.map(\.entries.count) == [2, 1, 3])
    #expect(history.lastDays(7, until: today).map(\.count) == [0, 0, 0, 0, 1, 0, 2])
    let files = try FileManager.default.contentsOfDirectory(
      atPath: stage.container.documents.string)
    #expect(files.filter { $0.hasSuffix(".workouts") && !$0.hasPrefix(".") }.count == 3)
    #expect(try await loaded(stage, days: 3).days.map(\.id) == history.days.map(\.id))
  }

  @Test("A day is one file, which the next launch reads") func file() async throws {
    try await AppContainer.withTemporary(identifier: "com.example.HIITFit") { container in
      let date = Date(timeIntervalSinceReferenceDate: 600_000_000)
      let history = HistoryStore(in: container)
      for exercise in ["Squat", "Burpee"] { history.add(exercise, at: date) }
      let files = try container.snapshot()
      #expect(Array(files.keys) == ["Documents/\(ExerciseDay.name(of: date)).workouts"])
      let text = files.values.first ?? ""
      #expect(text.contains("\"Burpee\"") && text.contains("\"Squat\""))
      let nextLaunch = HistoryStore(in: container)
      let deadline = ContinuousClock.now + .seconds(20)
      while nextLaunch.days.isEmpty, .now < deadline {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(nextLaunch.days.first?.entries.map(\.exercise) == ["Squat", "Burpee"])
    }
  }

  @Test("What another program adds to the same day is kept as well")
  func together() throws {
    let stage = try Stagehand()
    let (first, second) = (HistoryStore(in: stage.container), HistoryStore(in: stage.container))
    for round in 0..<3 {
      first.add("Squat \(round)")
      second.add("Burpee \(round)")
    }
    first.add("Last")
    #expect(first.days.first?.entries.count == 7)
    #expect(first.problem == nil && second.problem == nil)
  }

  @Test("A day that cannot be read is reported, and the others are there")
  func broken() async throws {
    let stage = try Stagehand()
    let directory = stage.container.documents
    // Not by a `HistoryStore`: it would read the broken day as well, and receive the report.
    try DocumentStore<ExerciseDay>(directory: directory, pathExtension: "workouts")
      .save(ExerciseDay(id: "2020-01-02"))
    try Data("{".utf8).write(to: URL(filePath: directory.appending("2020-01-01.workouts").string))
    let history = try await loaded(stage, days: 1)
    let deadline = ContinuousClock.now + .seconds(20)
    while history.problem == nil, .now < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(history.problem?.contains("2020-01-01") == true)
    #expect(history.days.count == 1)
  }
}
