import KeepsakeConfiguration
import Testing

@testable import Cards
@testable import HIITFit
@testable import Stage

@Suite("What the person who installs an app decides")
@MainActor
struct LiveConfigurationTests {
  @Test("HIITFit shows its texts as they are now, and a wrong one leaves the last good")
  func texts() async throws {
    let live = LiveConfiguration<HIITFitConfiguration>.bundled()
    let stage = try Stagehand()
    let window = try stage.open(WelcomeView(selectedTab: .constant(9)).environmentObject(live))
    #expect(window.texts.contains("Get fit"))
    try live.source.setOverride("Move", for: "WelcomeTitle")
    try await eventually { window.texts.contains("Move") && !window.texts.contains("Get fit") }
    #expect(throws: ConfigurationError.self) { try live.source.setOverride(3, for: "WelcomeTitle") }
    try live.source.removeOverride(for: "WelcomeTitle")
    try await eventually { window.texts.contains("Get fit") }
  }

  @Test("Each environment has its own, on top of what is common")
  func environments() {
    let local = LiveConfiguration<HIITFitConfiguration>.bundled(environment: "Local")
    #expect(local.welcomeTitle == "Get fit (local)")
    #expect(local.welcomeText == "with high intensity interval training")
    #expect(local.chartedDays == 3)
    let production = LiveConfiguration<HIITFitConfiguration>.bundled()
    #expect(production.chartedDays == 7)
    let cards = LiveConfiguration<CardsConfiguration>.bundled(environment: "Local")
    #expect(cards.listTitle == "Cards (local)")
    #expect(cards.largestImageMegabytes == 1)
  }

  @Test("The chart has room for as many days as it is asked for, or for as many as it can")
  func days() async throws {
    let live = LiveConfiguration<HIITFitConfiguration>.bundled()
    for (asked, shown) in [(Int.min, 1), (5, 5), (Int.max, 14)] {
      try live.source.setOverride(.integer(Int64(asked)), for: "HistoryDays")
      try await eventually { live.historyDays == asked }
      #expect(live.chartedDays == shown)
    }
  }

  @Test("An exercise takes half a minute, or as long as is asked for, from a second to an hour")
  func seconds() {
    #expect(LiveConfiguration<HIITFitConfiguration>.bundled().exerciseDuration == 30)
    for (asked, taken) in [(-5, 1.0), (0, 1), (1, 1), (90, 90), (Int.max, 3600)] {
      let live = LiveConfiguration<HIITFitConfiguration>.bundled(
        variables: ["EXERCISE_SECONDS": "\(asked)"])
      #expect(live.exerciseDuration == taken)
    }
  }

  @Test("Cards takes no image that is larger than images may be, and says so")
  func images() async throws {
    let live = LiveConfiguration<CardsConfiguration>.bundled()
    let store = try CardStore(in: try Stagehand().container, configuration: live)
    let card = try #require(store.card(store.addCard()))
    let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    let upload = Upload(
      id: UUID(), bytes: picture, size: CGSize(width: 30, height: 20), location: nil)
    try live.source.setOverride(0.000_001, for: "LargestImageMegabytes")
    try await eventually { live.largestImageMegabytes < 1 }
    #expect(store.imageElement(upload, for: card) == nil)
    #expect(store.problem?.message.contains("larger") == true)
    try live.source.removeOverride(for: "LargestImageMegabytes")
    try await eventually { live.largestImageMegabytes == 16 }
    #expect(store.imageElement(upload, for: card) != nil)
  }
}
