import Stage
import Testing

@testable import Tutorial

@MainActor
@Suite("The app of the tutorial") struct TutorialAppTests {
  let ratings = SettingsKey("ratings", default: [String: Int]())

  @Test("shows one rating in all windows, a tab in each, and both again after its end")
  func windows() throws {
    let stage = try Stagehand()
    let first = try stage.open(Tutorial.ContentView())
    let second = try stage.open(Tutorial.ContentView())
    try first.tap("Burpee")
    try first.tap("Rate 4 of 5")
    #expect(first.rating == 4)
    #expect(second.rating == 0)
    try second.tap("Burpee")
    #expect(second.rating == 4)
    try second.tap("Step Up")
    #expect(first.rating == 4)
    #expect(second.rating == 0)

    let next = try Stagehand(after: stage)
    let windows = try next.sessions.sessions.map {
      try next.open(Tutorial.ContentView(), session: $0)
    }
    #expect(windows.map(\.rating).sorted() == [0, 4])
    #expect(next.settings[ratings] == ["Burpee": 4])
  }

  @Test("brings the rating of its second section over, once") func migration() throws {
    let stage = try Stagehand()
    let old = SettingsKey<Int?>("rating")
    stage.settings[old] = 3
    stage.perform { _ = MyHIITFitApp() }
    #expect(stage.settings[ratings] == ["Squat": 3])
    #expect(stage.settings[old] == nil)
    #expect(try stage.open(Tutorial.ContentView()).rating == 3)
  }
}
