@testable import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// This machine's disks, as a platform sees them that cannot share memory between processes.
private struct UnsharedFileSystem: FileSystem {
  private let local = LocalFileSystem()

  func coordinator(at path: FilePath) throws(FileError) -> any FileCoordinator {
    try AdvisoryLockCoordinator(path: path)
  }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    try local.open(path, mode)
  }
  func information(at path: FilePath) throws(FileError) -> FileInformation? {
    try local.information(at: path)
  }
  func contents(ofFolder path: FilePath) throws(FileError) -> [String] {
    try local.contents(ofFolder: path)
  }
  func createFolder(_ path: FilePath) throws(FileError) { try local.createFolder(path) }
  func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try local.rename(path, to: newPath)
  }
  func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try local.link(path, to: newPath)
  }
  func remove(_ path: FilePath) throws(FileError) { try local.remove(path) }
  func synchronizeFolder(_ path: FilePath) throws(FileError) {
    try local.synchronizeFolder(path)
  }
  func synchronizeAll(at folder: FilePath) throws(FileError) {
    try local.synchronizeAll(at: folder)
  }
  func watch(
    folder: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try local.watch(folder: folder, handler)
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
