import Dispatch
import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Settings that cannot be written") struct ReadOnlyTests {
  private let key = SettingsKey("count", default: 0)

  @Test("are read whole while another process writes the property list again and again")
  func checkpoints() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending("app.plist")
      let writer = try SettingsStore(file: file, fileSystem: LocalFileSystem())
      let written = Mutex(0)
      let ended = Mutex(false)
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        for count in 1...400 {
          try? writer.set(count, for: key)
          written.withLock { $0 = count }
          if count % 4 == 0 { try? writer.save() }
        }
        ended.withLock { $0 = true }
      }
      defer { group.wait() }
      while !ended.withLock({ $0 }) {
        let known = written.withLock { $0 }
        let reader = try SettingsStore(
          file: file, fileSystem: ReadOnlyFileSystem(), isAutomatic: false, onProblem: { _ in })
        let read = try reader.value(for: key)
        #expect(read >= known)
      }
    }
  }

  @Test("receive the changes of others, and change nothing themselves") func following()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let file = directory.appending("app.plist")
      let writer = try SettingsStore(file: file, fileSystem: LocalFileSystem())
      try writer.set(1, for: key)
      let reader = try SettingsStore(
        file: file, fileSystem: ReadOnlyFileSystem(), onProblem: { _ in })
      var values = reader.values(of: key).makeAsyncIterator()
      #expect(try await values.next() == 1)
      try writer.set(2, for: key)
      #expect(try await values.next() == 2)
      #expect(throws: SettingsError.self) { try reader.set(3, for: key) }
      #expect(try reader.value(for: key) == 2)
      #expect(try writer.value(for: key) == 2)
    }
  }
}
