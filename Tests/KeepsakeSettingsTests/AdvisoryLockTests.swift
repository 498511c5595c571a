import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing
@testable import KeepsakeFiles

/// This machine's disks, as a platform sees them that cannot share memory between processes.
private struct UnsharedFileSystem: ForwardingFileSystem {
  let base = LocalFileSystem()

  func coordinator(at path: FilePath) throws(FileError) -> any FileCoordinator {
    try AdvisoryLockCoordinator(path: path)
  }
}

@Suite struct `P5: where memory cannot be shared between processes` {
  @Test func `stores count together, and the last change is seen by all`() async throws {
    try await withTemporaryFolder { root in
      let container = AppContainer(root: root, identifier: "com.example.Advisory")
      let count = SettingsKey("count", default: 0)
      let stores = try (0..<4).map { _ in
        try SettingsStore(
          container: container, arguments: [], fileSystem: UnsharedFileSystem())
      }
      let seen = Task {
        for await value in stores[0].values(of: count) where value == 400 { return true }
        return false
      }
      await withTaskGroup { group in
        for store in stores {
          group.addTask {
            for turn in 0..<100 {
              try? store.transaction { $0[count] += 1 }
              if turn == 50 { try? store.save() }
            }
          }
        }
      }
      #expect(await seen.value)
      #expect(try stores[3].transaction { $0[count] } == 400)
    }
  }
}
