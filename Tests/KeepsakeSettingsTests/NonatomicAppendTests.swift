import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// The local file system, presented as a remote one whose appends can overwrite each other.
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

@Suite("P5: Where appends of several processes can overwrite each other")
struct NonatomicAppendTests {
  @Test("Stores count together, and all of them see the last change")
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
            for round in 0..<100 {
              while (try? store.transaction { $0[count] += 1 }) == nil {}
              if round == 50 { try? store.save() }
            }
          }
        }
      }
      #expect(await seen.value)
      #expect(try stores[3].transaction { $0[count] } == 400)
    }
  }
}
