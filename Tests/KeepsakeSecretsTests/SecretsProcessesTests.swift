#if Secrets
import Foundation
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import Synchronization
import SystemPackage
import Testing

@testable import KeepsakeSecrets

@Suite("P5: Processes that write secrets while the file of their lock is removed")
struct SecretsProcessesTests {
  @Test(
    "lose no secret", .enabled(if: SecretsWorker.isAvailable, "needs a second process"),
    .timeLimit(.minutes(10)))
  func processes() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let names = ["a", "b"]
      let count = 200
      let workers = try names.map { name in
        try SecretsWorker.start(["write", directory.string, name, "\(count)"])
      }
      defer { for worker in workers where worker.isRunning { worker.terminate() } }
      let ready = names.map { directory.appending("\($0).ready").string }
      while !ready.allSatisfy(FileManager.default.fileExists) {
        try #require(!workers.contains { !$0.isRunning })
        usleep(1000)
      }
      try Data().write(to: URL(filePath: directory.appending("go").string))
      var removed = 0
      while workers.contains(where: \.isRunning) {
        for lock in ["secrets.json.lock", ".key.lock"] {
          if unlink(directory.appending(lock).string) == 0 { removed += 1 }
        }
        usleep(300)
      }
      for worker in workers { #expect(worker.terminationStatus == 0) }
      let found = Set(try SecretStore.inDirectory(directory).names())
      let expected = names.flatMap { name in (0..<count).map { "\(name)\($0)" } }
      let lost = expected.filter { !found.contains($0) }
      print("secrets: the lock's file was removed \(removed) times, \(lost.count) secrets lost")
      #expect(lost.isEmpty)
      #expect(removed > 10)
    }
  }

  @Test("lose no secret in any order of their calls", arguments: [false, true])
  func orders(isFirst: Bool) async throws {
    let processes: [@Sendable (SimulatedDisk, Returned) throws -> Void] = [
      { disk, returned in
        try SecretStore.onDisk(disk).set(1, for: "a")
        returned.add("a")
      },
      { disk, returned in
        for lock in ["/data/secrets.json.lock", "/media/.app.key.lock"] as [FilePath] {
          try? disk.remove(lock)
        }
        try SecretStore.onDisk(disk).set(1, for: "b")
        returned.add("b")
      },
    ]
    let explorer = InterleavingExplorer(switches: TestLength.isAtLeast(.standard) ? 2 : 1)
    let orders = try await explorer.run(processes: processes) { disk in
      if !isFirst { try SecretStore.onDisk(disk).set(1, for: "c") }
      return Returned()
    } check: { disk, returned, errors in
      let found = try SecretStore.onDisk(disk).names()
      for name in returned.names + (isFirst ? [] : ["c"]) where !found.contains(name) {
        throw Lost(name: name)
      }
      // Only a process that did not acquire the lock in time writes nothing.
      for error in errors.compactMap({ $0 }) where !"\(error)".contains("in use") { throw error }
    }
    print("secrets: \(orders) orders")
    #expect(orders > 20)
  }

  struct Lost: Error {
    let name: String
  }

  /// The secrets whose changes returned.
  final class Returned: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock { $0 } }

    func add(_ name: String) { list.withLock { $0.append(name) } }
  }

  @Test("a file in place of the key file is never overwritten") func keyFile() throws {
    let disk = SimulatedDisk()
    try SecretStore.onDisk(disk).set(1, for: "a")
    let key = disk.bytes(at: SecretStore.keyPath)
    try KeyMaterial.create(SecretStore.keyPath, in: disk)
    #expect(disk.bytes(at: SecretStore.keyPath) == key)
  }
}
#endif
