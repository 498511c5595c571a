import KeepsakeBase
import Testing

@testable import KeepsakeSync

@Suite("Stores that follow an engine", .timeLimit(.minutes(5)))
struct SyncDriverTests {
  private let engine = InMemoryEngine()
  private let timing: SyncTiming = {
    var timing = SyncTiming()
    timing.answer = .milliseconds(40)
    timing.silence = .milliseconds(40)
    timing.retry = .milliseconds(1) ... .milliseconds(10)
    return timing
  }()

  private func driver(
    _ name: String, save: @escaping @Sendable (Replica) async throws -> Void = { _ in }
  ) -> SyncDriver {
    SyncDriver(Replica(origin: SyncOrigin(id: name)), engine: engine, timing: timing, save: save)
  }

  private func eventually(_ isTrue: () async -> Bool) async {
    let deadline = ContinuousClock.now + .seconds(60)
    while await !isTrue(), .now < deadline { try? await Task.sleep(for: .milliseconds(5)) }
    #expect(await isTrue())
  }

  private func agree(_ drivers: [SyncDriver]) async {
    await eventually {
      let values = await engine.model.values
      for driver in drivers {
        let (status, own) = await (driver.status, driver.values)
        if status != .current || own != values { return false }
      }
      return true
    }
  }

  @Test("agree, while requests, answers and connections are lost, and no change is made twice")
  func agreement() async {
    let drivers = ["a", "b", "c"].map { driver($0) }
    for driver in drivers { await driver.start() }
    await engine.setFaults(20)
    var random = SeededRandom(seed: 7)
    for number in 0..<600 {
      let index = Int.random(in: drivers.indices, using: &random)
      let key = UInt8.random(in: 0..<6, using: &random)
      await drivers[index].set(Array("\(index)-\(number)".utf8), for: [key])
      if number % 20 == 0 { try? await Task.sleep(for: .milliseconds(5)) }
      if number % 150 == 0 { await engine.compact() }
    }
    await engine.setFaults(0)
    await agree(drivers)
    let written = await engine.model.changes.flatMap { change in
      change.writes.compactMap { key, value -> [UInt8]? in
        if case .value = key { value } else { nil }
      }
    }
    #expect(Set(written).count == written.count)
    for driver in drivers { await driver.end() }
  }

  @Test("notice a connection that stays open and brings nothing")
  func silence() async {
    let drivers = ["a", "b"].map { driver($0) }
    for driver in drivers { await driver.start() }
    await agree(drivers)
    await engine.setSilent(true)
    await drivers[0].set([1], for: [1])
    await eventually { await engine.model.values == [[1]: [1]] }
    await eventually { if case .offline = await drivers[1].status { true } else { false } }
    await engine.setSilent(false)
    await agree(drivers)
    for driver in drivers { await driver.end() }
  }

  private actor Disk {
    struct Full: Error {}

    private var isFull = true
    private(set) var refusals = 0

    func setFull(_ isNowFull: Bool) { isFull = isNowFull }

    func save() throws {
      if isFull {
        refusals += 1
        throw Full()
      }
    }
  }

  @Test("send nothing that their disk does not have")
  func failingDisk() async {
    let disk = Disk()
    let driver = driver("a") { _ in try await disk.save() }
    await driver.start()
    await driver.set([1], for: [1])
    await eventually { await disk.refusals > 3 }
    #expect(await driver.status == .catchingUp(waiting: 1))
    #expect(await engine.model.values.isEmpty)
    await disk.setFull(false)
    await agree([driver])
    #expect(await engine.model.values == [[1]: [1]])
    await driver.end()
  }
}
