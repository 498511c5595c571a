#if Secrets
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSecrets

@Suite(
  "P1, P2: a store of secrets on a disk that is cut",
  .enabled(if: TestLength.isAtLeast(.standard), "explores every cut"))
struct SecretsDurabilityTests {
  static let witness: FilePath = "/other/witness"
  static let phrase = SecretsKey.passphrase(
    "open sesame", cost: ScryptCost(rounds: 2, blockSize: 1))

  /// Two secrets, a change, a rotation of the key, a removal.
  static func live(_ files: any FileSystem, on disk: SimulatedDisk) throws {
    let store = SecretStore.onDisk(files, witness: witness)
    try store.set(0, for: "a")
    disk.mark("a")
    try store.update { secrets in
      try secrets.set(1, for: "a")
      try secrets.set(1, for: "b")
    }
    disk.mark("b")
    try store.rotateKey(to: phrase)
    disk.mark("rotated")
    try store.remove("b")
    disk.mark("removed")
  }

  /// What must be there after each mark.
  static let lives: [[String: Int]] = [
    [:], ["a": 0], ["a": 1, "b": 1], ["a": 1, "b": 1], ["a": 1],
  ]

  static func check(_ disk: SimulatedDisk, marks: Int) throws {
    var found: [String: Int] = [:]
    // Whichever of the two keys it is now, one opens it.
    var store = SecretStore.onDisk(disk, witness: witness)
    if marks >= 2, (try? store.names()) == nil {
      store = .onDisk(disk, key: phrase, witness: witness)
    }
    for name in try store.names() { found[name] = try store.value(for: name) }
    guard found == lives[marks] || marks + 1 < lives.count && found == lives[marks + 1] else {
      throw Lost(found: found, marks: marks)
    }
    // And it goes on from there.
    try store.set(9, for: "z")
    guard try store.value(for: "z") == 9 else { throw Lost(found: [:], marks: marks) }
  }

  struct Lost: Error {
    let found: [String: Int]
    let marks: Int
  }

  @Test("is whole wherever the cut is", arguments: [DiskModel.posix, .journaled, .processDeath])
  func cuts(_ model: DiskModel) async throws {
    let report = try await CutExplorer(model: model).run { disk in
      try Self.live(disk, on: disk)
    } check: { disk, cut in
      try Self.check(disk, marks: cut.marks.count)
    }
    print("secrets: \(report.states) disk states (\(model))")
    #expect(report.states > 20)
  }

  @Test("needs each of its flushes") func flushes() async throws {
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run {
      try Self.live($0, on: $1)
    } check: { disk, cut in
      try Self.check(disk, marks: cut.marks.count)
    }
    // The witness may lag behind: all that is lost with its flush is that one older copy is not
    // known for one. Of the three flushes of the names of directories the last makes up for the others.
    let others = results.filter {
      !"\($0.flush)".contains("other") && "\($0.flush)" != "synchronize '/'"
    }
    #expect(others.count >= 10)
    for result in others { #expect(result.isNeeded, "\(result.flush)") }
    #expect(results.contains { "\($0.flush)" == "synchronize '/'" && $0.isNeeded })
  }

  @Test("keeps what it had when any call fails") func failures() async throws {
    let runs = try await FailureExplorer().run { disk in
      try Self.live(disk, on: disk)
    } check: { disk, point in
      try Self.check(disk, marks: point.marks.count)
    }
    #expect(runs > 100)
  }
}
#endif
