import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P2: when the disk refuses a flush") struct RefusedFlushTests {
  @Test("a save of another thread that was under way is not believed either")
  func aSaveOfAnotherThread() throws {
    let disk = SimulatedDisk()
    let files = InterruptedDisk(disk)
    let store = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "card", fileSystem: files)
    try store.save([Card(id: "1", title: "old"), Card(id: "2", title: "old")])

    @Sendable func saves(_ id: String) -> DocumentError.Code? {
      do throws(DocumentError) {
        try store.save(Card(id: id, title: "new"))
        return nil
      } catch {
        return error.code
      }
    }
    // The other's flush comes, and is refused, between the rename and the flush of this one.
    files.beforeNextDirectoryFlush {
      files.refuseNextDirectoryFlushes()
      let code = saves("2")
      #expect(code == .notDurable)
    }
    #expect(saves("1") == .notDurable)

    // What is saved again is written again, and trusted.
    let flushes = disk.calls.count { $0.operation == .synchronize }
    for _ in 1...2 {
      #expect(saves("1") == nil)
      #expect(saves("2") == nil)
      #expect(disk.calls.count { $0.operation == .synchronize } == flushes + 4)
    }
  }
}
