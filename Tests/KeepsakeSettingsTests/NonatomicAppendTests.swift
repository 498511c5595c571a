import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// This machine's disks, as if they were another machine's, whose appends can cover one another.
private struct RemoteFileSystem: ForwardingFileSystem {
  let base = LocalFileSystem()

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    RemoteFile(base: try base.open(path, mode))
  }
}

private final class RemoteFile: ForwardingFile {
  let base: any OpenFile
  init(base: any OpenFile) { self.base = base }
  var hasAtomicAppends: Bool { false }
}

@Suite("P5: where appends of several processes can cover one another")
struct NonatomicAppendTests {
  @Test("stores count together, and the last change is seen by all")
  func counting() async throws {
    try await withTemporaryDirectory { root in
      let container = AppContainer(root: root, identifier: "com.example.Remote")
      let count = SettingsKey("count", default: 0)
      let stores = try (0..<4).map { _ in
        try SettingsStore(container: container, arguments: [], fileSystem: RemoteFileSystem())
      }
      let seen = Task {
        for await value in stores[0].values(of: count) where value == 400 { return true }
        return false
      }
      await withTaskGroup { group in
        for store in stores {
          group.addTask {
            for turn in 0..<100 {
              while (try? store.transaction { $0[count] += 1 }) == nil {}
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
