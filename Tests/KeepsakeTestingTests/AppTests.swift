import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

private struct Broken: Error {}

private struct Note: Codable, Identifiable, Sendable {
  var id: String
  var text = ""
}

@Suite("What tests of an app use") struct AppTests {
  @Test("A temporary container exists during a closure only") func temporary() async throws {
    let files = LocalFileSystem()
    let first = try AppContainer.withTemporary { container in
      try files.createDirectories(container.documents)
      try files.replaceFile(at: container.documents.appending("note"), with: [1])
      return container.documents
    }
    #expect(try files.information(at: first) == nil)
    #expect(try files.information(at: first.removingLastComponent()) == nil)
    var second: FilePath?
    await #expect(throws: Broken.self) {
      try await AppContainer.withTemporary(identifier: "com.example.Other") { container in
        await Task.yield()
        #expect(container.identifier == "com.example.Other")
        try files.createDirectories(container.documents)
        second = container.documents
        throw Broken()
      }
    }
    #expect(try files.information(at: #require(second)) == nil)
  }

  @Test("A snapshot has the same paths for each layout, and texts for each kind of file")
  func snapshot() throws {
    let layouts = [
      AppContainer(root: "/root", identifier: "app"),
      AppContainer(identifier: "app", environment: ["HOME": "/home/ann"]),
      AppContainer(identifier: "app", environment: ["HOME": "/x", "STATE_DIRECTORY": "/state"]),
    ]
    for container in layouts {
      let disk = SimulatedDisk()
      try disk.write(
        Array(
          """
          <?xml version="1.0"?><plist version="1.0"><dict>
          <key>seen</key><date>2001-01-01T00:00:00Z</date><key>photo</key><data>AAEC</data>
          <key>list</key><array><real>1.5</real><true/></array></dict></plist>
          """.utf8), to: container.preferencesFile())
      try disk.write([], to: container.preferences.appending("app.lock"))
      try disk.write([1], to: container.preferences.appending("app.journal-2"))
      try disk.write(
        Array("{\"b\":1,\"a\":null}".utf8), to: container.documents.appending("1.card"))
      try disk.write(Array("text".utf8), to: container.documents.appending("sub/note"))
      try disk.write([0xFF, 0xFE], to: container.applicationSupport.appending("image"))
      try disk.write([0], to: container.documents.appending(".hidden"))
      try disk.write([0], to: container.documents.appending("Versions/1/2026.card"))
      try disk.write([0], to: container.caches.appending("cache"))
      let preferences = container.preferencesFile().lastComponent?.string ?? ""
      let found = try container.snapshot(fileSystem: disk)
      let expected = [
        "Documents/1.card": "{\n  \"a\" : null,\n  \"b\" : 1\n}",
        "Documents/sub/note": "text",
        "Preferences/\(preferences)": """
        {
          "list" : [
            1.5,
            true
          ],
          "photo" : "data AAEC",
          "seen" : "date 2001-01-01T00:00:00Z"
        }
        """,
        "Application Support/image": "2 bytes",
      ]
      for (path, text) in expected { #expect(found[path] == text, "\(path)") }
      #expect(found.count == expected.count)
    }
  }

  @Test("Damage changes a file as its name says", arguments: FileDamage.allCases)
  func damage(_ damage: FileDamage) throws {
    let disk = SimulatedDisk()
    try disk.write([1, 2, 3, 4], to: "/file")
    try disk.damage("/file", by: damage)
    let expected: [UInt8] =
      switch damage {
      case .emptied: []
      case .truncated: [1, 2]
      case .zeroed: [1, 2, 0, 0]
      case .bitFlipped: [1, 2, 3 ^ 0x10, 4]
      }
    #expect(disk.bytes(at: "/file") == expected)
    try disk.write([], to: "/file")
    try disk.damage("/file", by: damage)
    #expect(disk.bytes(at: "/file") == [])
    #expect(throws: FileError.self) { try disk.damage("/missing", by: damage) }
  }

  @Test("Two stores in memory on one disk have the same documents") func oneDisk() throws {
    let disk = SimulatedDisk()
    _ = try DocumentStore<Note>.inMemory([Note(id: "1", text: "a")], disk: disk)
    let store = try DocumentStore<Note>.inMemory([], disk: disk)
    #expect(try store.load("1").text == "a")
    #expect(throws: DocumentError.self) { try DocumentStore<Note>.inMemory().load("1") }
    disk.failAlways(.synchronize)
    #expect(throws: DocumentError.self) { try store.save(Note(id: "2")) }
  }

  @Test("A clock wakes those whose time has come, and no others") func clock() async throws {
    let clock = ManualClock()
    let early = Task { try await clock.sleep(for: .seconds(1)) }
    let late = Task { try await clock.sleep(for: .seconds(2)) }
    await clock.advance(by: .seconds(1), sleepers: 2)
    try await early.value
    #expect(clock.now == ManualClock().now.advanced(by: .seconds(1)))
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    try await clock.sleep(until: clock.now, tolerance: nil)
    let canceled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await canceled.value }
  }
}
