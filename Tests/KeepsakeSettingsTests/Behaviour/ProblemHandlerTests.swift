import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("Problem handlers", .timeLimit(.minutes(10))) struct ProblemHandlerTests {
  private static let rating = SettingsKey("rating", default: 0)

  @Test("A handler receives problems that occur just before the process exits")
  func exitingProcess() throws {
    let worker = try Worker(["report-problem"])
    #expect(try worker.readLine() == nil)
    #expect(worker.problems == ["wrongType"])
  }

  @Test("A handler may set a value of the store and open the same settings")
  func usesStore() async throws {
    try await withHome { home in
      let (finished, finish) = AsyncStream<Int>.makeStream()
      let opened = Mutex<SettingsStore?>(nil)
      let store = try SettingsStore(container: home.container, arguments: []) { _ in
        let store = opened.withLock { $0 }
        store?[Self.rating] += 1
        let other = try? SettingsStore(container: home.container, arguments: [])
        finish.yield(other?[Self.rating] ?? -1)
      }
      opened.withLock { $0 = store }
      try store.set(1, for: Self.rating)
      try store.save()
      // The damage is found while the store holds its locks.
      try LocalFileSystem().replaceFile(
        at: home.container.preferencesFile(), with: Array("damaged".utf8))
      try? store.set(2, for: Self.rating)
      try? store.save()
      var reports = finished.makeAsyncIterator()
      #expect(await reports.next() == 3)
      opened.withLock { $0 = nil }
    }
  }
}
