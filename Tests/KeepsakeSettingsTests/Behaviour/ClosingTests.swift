import KeepsakeBase
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("Releasing a store", .timeLimit(.minutes(10))) struct ClosingTests {
  @Test("A released store keeps no file open for the next attempt to flush a failing disk")
  func releaseWhileDiskFails() async throws {
    let disk = SimulatedDisk()
    var store: SettingsStore? = try SettingsStore(file: "/app/small.plist", fileSystem: disk) { _ in
    }
    weak let file = store?.app
    disk.failAlways(.synchronize)
    try store?.set(1, for: SettingsKey("rating", default: 0))
    // Two calls fail with the first attempt and one with each that follows, the fourth after 6 s; the
    // next is due 6.4 s later.
    func failures() -> Int { disk.calls.count { $0.operation == .synchronize } }
    let before = failures()
    while failures() < before + 5 { try await Task.sleep(for: .milliseconds(50)) }
    store = nil
    let deadline = ContinuousClock.now + .seconds(2)
    while file != nil, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(file == nil)
  }
}
