import Testing

@testable import HIITFit
@testable import Stage

@Suite("The timer of an exercise")
@MainActor
struct TimerTests {
  private func content(_ stage: Stagehand, seconds: Int) -> some View {
    HIITFit.ContentView().environmentObject(HistoryStore(in: stage.container))
      .environmentObject(
        LiveConfiguration<HIITFitConfiguration>.bundled(
          variables: ["EXERCISE_SECONDS": "\(seconds)"]))
  }

  private func isDoneOff(_ window: Stagehand.Window) -> Bool {
    window.all { $0.tag == "button" && $0.says("Done") }.first?.attributes["disabled"] != nil
  }

  private func timer(_ window: Stagehand.Window) -> String? {
    window.all { $0.attributes["role"] == "timer" }.first?.attributes["data-timer"]
  }

  @Test("Done is off until the seconds have passed, which the window finds out by itself")
  func earned() async throws {
    let stage = try Stagehand()
    let window = try stage.open(content(stage, seconds: 1))
    try window.tap("Squat")
    #expect(isDoneOff(window) && timer(window) == nil && window.texts.contains("0:01"))
    try window.tap("Done")
    #expect(window.texts.contains("Exercise 1 of 4"))
    try window.tap("Start")
    #expect(isDoneOff(window) && timer(window) != nil)
    try await eventually {
      window.renderer.elements.contains { $0.says("Time is up") }
    }
    #expect(!isDoneOff(window) && timer(window) == nil)
    try window.tap("Done")
    #expect(window.texts.contains("Exercise 2 of 4") && isDoneOff(window))
    try window.tap("Squat")
    #expect(window.texts.contains("Start") && isDoneOff(window))
  }

  @Test("It can be stopped, and started again once it is over")
  func again() async throws {
    let stage = try Stagehand()
    // Where many tests run at once, much time may pass between two taps.
    let window = try stage.open(content(stage, seconds: 120))
    try window.tap("Burpee")
    try window.tap("Start")
    try window.tap("Stop")
    #expect(timer(window) != nil, "the second click of a double click")
    try await Task.sleep(for: .seconds(0.6))
    try window.tap("Stop")
    #expect(timer(window) == nil && window.texts.contains("2:00"))
    try await Task.sleep(for: .seconds(0.6))
    try window.tap("Start")
    #expect(timer(window) != nil)

    let short = try stage.open(content(stage, seconds: 1))
    try short.tap("Burpee")
    try short.tap("Start")
    try await eventually { !isDoneOff(short) }
    try short.tap("Start Again")
    #expect(isDoneOff(short) && timer(short) != nil)
  }

  @Test("Each exercise and each window has its own, with the same end in the next run")
  func runs() throws {
    let stage = try Stagehand()
    let content = content(stage, seconds: 60)
    let first = try stage.open(content)
    let second = try stage.open(content)
    for window in [first, second] { try window.tap("Squat") }
    try first.tap("Start")
    let squat = try #require(timer(first))
    #expect(timer(second) == nil)
    try first.tap("Step Up")
    #expect(timer(first) == nil)

    let nextRun = try Stagehand(after: stage)
    let windows = try nextRun.sessions.sessions.map { try nextRun.open(content, session: $0) }
    for window in windows { try window.tap("Squat") }
    #expect(timer(windows[0])?.split(separator: " ").last == squat.split(separator: " ").last)
    #expect(timer(windows[1]) == nil)
  }

  @Test("A time that passed while nothing ran is over at once")
  func passed() async throws {
    let stage = try Stagehand()
    let window = try stage.open(content(stage, seconds: 1))
    try window.tap("Squat")
    try window.tap("Start")
    window.close()
    try await Task.sleep(for: .seconds(1))
    let nextRun = try Stagehand(after: stage)
    let again = try nextRun.open(
      content(nextRun, seconds: 1), session: nextRun.sessions.sessions[0])
    #expect(again.texts.contains("Time is up") && !isDoneOff(again))
  }
}
