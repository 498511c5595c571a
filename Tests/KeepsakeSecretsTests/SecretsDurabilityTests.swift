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
    "open sesame", cost: SecretsKey.ScryptCost(rounds: 2, blockSize: 1))

  struct Lost: Error {
    let found: [String: Int]
    let marks: Int
  }

  /// What a program does with a store, and what must be there after each mark.
  struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The secrets before the first mark, and after each.
    let secrets: [[String: Int]]
    /// The disk at the start.
    var start: @Sendable () throws -> SimulatedDisk = { SimulatedDisk() }
    let run: @Sendable (any FileSystem, SimulatedDisk) throws -> Void
    /// Opens the store of a disk after a number of marks.
    let open: @Sendable (SimulatedDisk, Int) throws -> SecretStore

    func check(_ disk: SimulatedDisk, marks: Int) throws {
      let store = try open(disk, marks)
      var found: [String: Int] = [:]
      for name in try store.names() { found[name] = try store.value(for: name) }
      guard found == secrets[marks] || marks + 1 < secrets.count && found == secrets[marks + 1]
      else { throw Lost(found: found, marks: marks) }
      // It can be changed.
      try store.set(9, for: "z")
      guard try store.value(for: "z") == 9 else { throw Lost(found: [:], marks: marks) }
    }
  }

  /// Two secrets, a change, a rotation of the key, a removal.
  static let changes = Scenario(
    testDescription: "changes",
    secrets: [[:], ["a": 0], ["a": 1, "b": 1], ["a": 1, "b": 1], ["a": 1]],
    run: { files, disk in
      let store = SecretStore.onDisk(files, witness: witness)
      try store.set(0, for: "a")
      disk.mark("a")
      try store.transaction { secrets in
        try secrets.set(1, for: "a")
        try secrets.set(1, for: "b")
      }
      disk.mark("b")
      try store.rotateKey(to: phrase)
      disk.mark("rotated")
      try store.remove("b")
      disk.mark("removed")
    },
    open: { disk, marks in
      // One of the two keys opens it.
      let store = SecretStore.onDisk(disk, witness: witness)
      if marks < 2 || (try? store.names()) != nil { return store }
      return .onDisk(disk, key: phrase, witness: witness)
    })

  /// A disk with a store that is opened with a passphrase.
  private static func preparedDisk() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = SecretStore.onDisk(disk, key: phrase, witness: witness)
    for name in ["a", "b"] { try store.set(1, for: name) }
    return disk
  }

  /// The recovery of a damaged file, and a rotation to a new key file.
  static let recovery = Scenario(
    testDescription: "recovery",
    secrets: [["a": 1, "b": 1], ["a": 1, "b": 1], ["a": 1, "b": 1], ["a": 2, "b": 1]],
    start: {
      let disk = try preparedDisk()
      let bytes = disk.bytes(at: SecretStore.path)!
      try disk.write(bytes.dropLast(4), to: SecretStore.path)
      return disk
    },
    run: { files, disk in
      let store = SecretStore.onDisk(files, key: phrase, witness: witness)
      _ = try store.recover()
      disk.mark("recovered")
      try store.rotateKey(to: .keyFile(SecretStore.keyPath))
      disk.mark("rotated")
      try store.set(2, for: "a")
      disk.mark("changed")
    },
    open: { disk, marks in
      var store = SecretStore.onDisk(disk, key: phrase, witness: witness)
      do throws(SecretError) {
        _ = try store.names()
      } catch {
        switch error.code {
        case .damaged where marks == 0: _ = try store.recover()
        case .wrongKey where marks > 0: store = .onDisk(disk, witness: witness)
        default: throw error
        }
      }
      // The damaged bytes are kept before they are replaced.
      let kept = SealedFile.records(in: disk.bytes(at: "/data/secrets.json.damaged-1") ?? [])
      guard kept.filter({ !$0.secret.data.isEmpty }).map(\.name) == ["a", "b"] else {
        throw Lost(found: [:], marks: marks)
      }
      return store
    })

  /// The acceptance of an older copy.
  static let rollback = Scenario(
    testDescription: "rollback",
    secrets: [["a": 1, "b": 1], ["a": 1, "b": 1], ["a": 2, "b": 1]],
    start: {
      let disk = try preparedDisk()
      let copy = disk.bytes(at: SecretStore.path)!
      try SecretStore.onDisk(disk, key: phrase, witness: witness).set(5, for: "a")
      try disk.write(copy, to: SecretStore.path)
      return disk
    },
    run: { files, disk in
      let store = SecretStore.onDisk(files, key: phrase, witness: witness)
      try store.acceptRollback()
      disk.mark("accepted")
      try store.set(2, for: "a")
      disk.mark("changed")
    },
    open: { disk, marks in
      let store = SecretStore.onDisk(disk, key: phrase, witness: witness)
      do throws(SecretError) {
        _ = try store.names()
      } catch {
        guard error.code == .rolledBack, marks == 0 else { throw error }
        try store.acceptRollback()
      }
      return store
    })

  static let scenarios = [changes, recovery, rollback]

  @Test(
    "is whole wherever the cut is", arguments: scenarios,
    [SimulatedDisk.Model.posix, .journaled, .processDeath])
  func cuts(_ scenario: Scenario, _ model: SimulatedDisk.Model) async throws {
    let report = try await CutExplorer(model: model).run(from: scenario.start()) { disk in
      try scenario.run(disk, disk)
    } check: { disk, cut in
      try scenario.check(disk, marks: cut.marks.count)
    }
    print("secrets: \(report.states) disk states (\(scenario.testDescription), \(model))")
    #expect(report.states > 10)
  }

  @Test("needs each of its flushes", arguments: scenarios)
  func flushes(_ scenario: Scenario) async throws {
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run(from: scenario.start()) {
      try scenario.run($0, $1)
    } check: { disk, cut in
      try scenario.check(disk, marks: cut.marks.count)
    }
    for result in results where !result.isNeeded {
      print("secrets: not needed in \(scenario.testDescription): \(result.flush)")
    }
    // The witness may be older than the store: without its flush, one older copy is not detected. Of
    // the flushes of the names of new directories, the last replaces the others.
    let others = results.filter {
      !"\($0.flush)".contains("other") && "\($0.flush)" != "synchronize '/'"
    }
    #expect(others.count >= 2)
    for result in others { #expect(result.isNeeded, "\(result.flush)") }
    if scenario.testDescription == Self.changes.testDescription {
      #expect(results.contains { "\($0.flush)" == "synchronize '/'" && $0.isNeeded })
    }
  }

  @Test("keeps what it had when any call fails", arguments: scenarios)
  func failures(_ scenario: Scenario) async throws {
    let runs = try await FailureExplorer().run(from: scenario.start()) { disk in
      try scenario.run(disk, disk)
    } check: { disk, point in
      try scenario.check(disk, marks: point.marks.count)
    }
    print("secrets: \(runs) failures (\(scenario.testDescription))")
    #expect(runs > 50)
  }
}
#endif
