import KeepsakeTesting
import SystemPackage
import Testing

@testable import HIITFit
@testable import Stage

@Suite("The history of exercises")
@MainActor
struct HistoryTests {
  private let live = LiveConfiguration<HIITFitConfiguration>.bundled(
    variables: ["EXERCISE_SECONDS": "1"])

  private func content(_ history: HistoryStore) -> some View {
    HIITFit.ContentView().environmentObject(history).environmentObject(live)
  }

  private func finish(_ window: Stagehand.Window) async throws {
    try window.tap("Start")
    try await eventually { window.texts.contains("Time is up") }
    try window.tap("Done")
  }

  @Test("What is finished stays when the tab changes, and when the program ends")
  func lasting() async throws {
    let stage = try Stagehand()
    let window = try stage.open(content(HistoryStore(in: stage.container)))
    try window.tap("Get Started")
    try await finish(window)
    #expect(window.texts.contains("Exercise 2 of 4"))
    try window.tap("Welcome")
    try window.tap("History")
    #expect(window.all { $0.tag == "dialog" }.first?.says("Squat") == true)

    // The next run begins with nothing but the directory.
    let nextRun = try Stagehand(after: stage)
    let history = HistoryStore(in: nextRun.container)
    let again = try nextRun.open(content(history))
    try again.tap("History")
    #expect(again.all { $0.tag == "dialog" }.first?.says("Squat") == true)
  }

  @Test("Every window sees what one of them finishes")
  func windows() async throws {
    let stage = try Stagehand()
    let history = HistoryStore(in: stage.container)
    let (first, second) = (try stage.open(content(history)), try stage.open(content(history)))
    try second.tap("History")
    #expect(second.texts.contains { $0.hasPrefix("Nothing yet") })
    try first.tap("Burpee")
    try await finish(first)
    #expect(second.all { $0.tag == "dialog" }.first?.says("Burpee") == true)
  }

  @Test("Each day is a file of its own, the latest day comes first, and the chart counts")
  func days() throws {
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
    #expect(HistoryStore(in: stage.container).days.map(\.id) == history.days.map(\.id))
  }

  @Test("A day is one file, which the next launch reads") func file() throws {
    try AppContainer.withTemporary(identifier: "com.example.HIITFit") { container in
      let date = Date(timeIntervalSinceReferenceDate: 600_000_000)
      let history = HistoryStore(in: container)
      for exercise in ["Squat", "Burpee"] { history.add(exercise, at: date) }
      let files = try container.snapshot()
      #expect(Array(files.keys) == ["Documents/\(ExerciseDay.name(of: date)).workouts"])
      let text = files.values.first ?? ""
      #expect(text.contains("\"Burpee\"") && text.contains("\"Squat\""))
      let nextLaunch = HistoryStore(in: container)
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
  func broken() throws {
    let stage = try Stagehand()
    let directory = stage.container.documents
    // Not by a `HistoryStore`: it would read the broken day as well, and receive the report.
    try DocumentStore<ExerciseDay>(directory: directory, pathExtension: "workouts")
      .save(
        ExerciseDay(id: "2020-01-02", entries: [.init(date: Date(), exercise: "Squat")]))
    try Data("{".utf8).write(to: URL(filePath: directory.appending("2020-01-01.workouts").string))
    let history = HistoryStore(in: stage.container)
    #expect(history.problem?.contains("2020-01-01") == true)
    #expect(history.days.count == 1)
  }

  private func exercises(_ window: Stagehand.Window) -> [String] {
    let dialog = window.all { $0.tag == "dialog" }.first
    let texts = dialog?.all.compactMap(\.text) ?? []
    return texts.filter { text in Exercise.exercises.contains { $0.name == text } }
  }

  @Test("A day lists what was finished last at the top")
  func order() throws {
    let stage = try Stagehand()
    let history = HistoryStore(in: stage.container)
    let date = Date()
    for (index, name) in ["Squat", "Burpee", "Step Up"].enumerated() {
      history.add(name, at: date.addingTimeInterval(Double(index)))
    }
    let window = try stage.open(content(history))
    try window.tap("History")
    #expect(exercises(window) == ["Step Up", "Burpee", "Squat"])
    #expect(history.days.first?.entries.map(\.exercise) == ["Squat", "Burpee", "Step Up"])
  }

  @Test("What is removed is gone in the next run, too, and what is brought back is in its place")
  func removal() throws {
    let stage = try Stagehand()
    let history = HistoryStore(in: stage.container)
    let date = Date()
    for (index, name) in ["Squat", "Burpee", "Step Up"].enumerated() {
      history.add(name, at: date.addingTimeInterval(Double(index)))
    }
    let window = try stage.open(content(history))
    try window.tap("History")
    func remove(_ name: String) throws {
      let buttons = window.all { $0.attributes["aria-label"]?.hasPrefix("Remove \(name),") == true }
      window.tap(try #require(buttons.first))
    }
    try remove("Burpee")
    try remove("Squat")
    #expect(exercises(window) == ["Step Up"] && window.texts.contains("Squat removed"))
    #expect(HistoryStore(in: stage.container).days.first?.entries.count == 1)
    try window.tap("Undo")
    // The rest can still be undone when the sheet was closed.
    window.tap(
      try #require(window.all { $0.says("Done") }.last { $0.tag == "button" }))
    #expect(window.all { $0.tag == "dialog" }.isEmpty)
    try window.tap("History")
    try window.tap("Undo")
    #expect(exercises(window) == ["Step Up", "Burpee", "Squat"])
    #expect(!window.texts.contains("Undo"))
    let entries = HistoryStore(in: stage.container).days.first?.entries
    #expect(entries?.map(\.exercise) == ["Squat", "Burpee", "Step Up"])
  }

  @Test("A day without entries is gone, and comes back")
  func emptyDay() throws {
    let stage = try Stagehand()
    let history = HistoryStore(in: stage.container)
    for (name, back) in [("Burpee", 86_400.0 * 3), ("Squat", 0)] {
      history.add(name, at: Date(timeIntervalSinceNow: -back))
    }
    let (today, entry) = try #require(
      history.days.first.flatMap { day in day.entries.first.map { (day.id, $0) } })
    #expect(history.remove(entry, from: today))
    #expect(history.days.count == 1 && history.lastDays(1).map(\.count) == [0])
    let nextRun = HistoryStore(in: stage.container)
    #expect(nextRun.days.flatMap(\.entries).map(\.exercise) == ["Burpee"])
    #expect(nextRun.insert(entry, into: today))
    #expect(nextRun.insert(entry, into: today))
    #expect(nextRun.days.map(\.entries.count) == [1, 1] && nextRun.days.first?.id == today)
    #expect(HistoryStore(in: stage.container).days.map(\.id) == nextRun.days.map(\.id))
  }

  @Test("What is removed, and what another program adds meanwhile, do not undo each other")
  func removalTogether() throws {
    let stage = try Stagehand()
    let (first, second) = (HistoryStore(in: stage.container), HistoryStore(in: stage.container))
    first.add("Squat")
    let (day, squat) = try #require(
      first.days.first.flatMap { day in day.entries.first.map { (day.id, $0) } })
    second.add("Burpee")
    #expect(first.remove(squat, from: day))
    #expect(first.days.first?.entries.map(\.exercise) == ["Burpee"])
    second.add("Step Up")
    #expect(second.days.first?.entries.map(\.exercise) == ["Burpee", "Step Up"])
    #expect(first.insert(squat, into: day))
    #expect(first.days.first?.entries.map(\.exercise) == ["Squat", "Burpee", "Step Up"])

    // The day was emptied by one and added to by the other.
    for entry in first.days.first?.entries ?? [] { first.remove(entry, from: day) }
    #expect(first.days.isEmpty)
    second.add("Last")
    #expect(second.days.first?.entries.map(\.exercise) == ["Last"])
    #expect(first.problem == nil && second.problem == nil)
  }
}
