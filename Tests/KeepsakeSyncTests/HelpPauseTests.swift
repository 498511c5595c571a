import Testing

@testable import KeepsakeSync

@Suite("When a process helps one that seems to be stopped")
final class HelpPauseTests {
  private struct Progress: SyncProgress {
    var revision: UInt64
    var cluster: String? { "one" }
    var hasJoined: Bool { true }
    var waitingCount: Int { 1 }
    var tooLarge: [String] { [] }
    var isSent: Bool { false }
  }

  private var pause = HelpPause<Progress>(period: .seconds(60))
  private var now = ContinuousClock.now

  /// Helps as soon as that begins.
  ///
  /// - Parameters:
  ///   - revision: How far the machine is.
  ///   - isBusy: Whether it is not done when it ends.
  /// - Returns: After how many seconds it began.
  private func help(_ revision: UInt64, isBusy: Bool = false) -> Int {
    for seconds in 0..<10_000 {
      if pause.begins(at: Progress(revision: revision), now) {
        now += .seconds(60)
        pause.noteEnd(now, isBusy: isBusy)
        return seconds
      }
      now += .seconds(1)
    }
    return .max
  }

  @Test("At once, and again at once as long as that is of use")
  func use() {
    var rests: [Int] = []
    for revision in 1...4 { rests.append(help(UInt64(revision))) }
    #expect(rests == [0, 0, 0, 0])
  }

  @Test("Later each time that it was of no use, up to five times its period")
  func uselessness() {
    var rests: [Int] = []
    for _ in 1...7 { rests.append(help(1)) }
    #expect(rests == [0, 60, 120, 240, 300, 300, 300])
    rests = [help(2), help(3), help(3)]
    #expect(rests == [0, 0, 60])
  }

  @Test("Later each time, too, where the machine gets on without it")
  func others() {
    var rests: [Int] = []
    for revision in 1...3 {
      rests.append(help(UInt64(revision)))
      pause.noteProgress()
    }
    #expect(rests == [0, 60, 120])
  }

  @Test("At once where it was not done")
  func busy() {
    var rests: [Int] = []
    for _ in 1...3 { rests.append(help(1, isBusy: true)) }
    #expect(rests == [0, 0, 0])
  }

  @Test("At once where nothing was lacking in between")
  func reset() {
    var rests = [help(1), help(1)]
    pause.reset()
    rests.append(help(1))
    #expect(rests == [0, 60, 0])
  }
}
