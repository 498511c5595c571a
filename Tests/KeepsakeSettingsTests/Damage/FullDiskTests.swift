import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A disk that takes no more") struct FullDiskTests {
  private let name = SettingsKey("name", default: "default")

  @Test("P4: as it is full makes a change an error, keeps every other, and goes on with room")
  func fullDiskRefusesOneChange() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      try goOn(in: disk.root, refusing: .noSpace, disk.fill(), whenThereIsRoom: disk.empty())
    }
  }

  @Test("P4: a quota that is used up does the same") func quota() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      guard let directory = disk.makeLimitedDirectory(megabytes: 2) else {
        print("skipped: \(TemporaryDisk.Format.current) has no quota here that holds for this user")
        return
      }
      try goOn(
        in: directory, refusing: .diskQuotaExceeded, disk.fill(directory),
        whenThereIsRoom: disk.empty(directory))
    }
  }

  private func goOn(
    in root: FilePath, refusing code: Errno, _ fill: @autoclosure () throws -> Void,
    whenThereIsRoom empty: @autoclosure () throws -> Void
  ) throws {
    let directory = WorkerDirectory(root)
    var kept: [String: String] = [:]
    do {
      let problems = Problems()
      let store = try directory.open(problems)
      try store.set("kept", for: name)
      kept["name"] = "kept"
      try fill()
      var failure: SettingsError?
      for index in 0..<2000 {
        do throws(SettingsError) {
          try store.set(writtenText(index), for: SettingsKey("key\(index % 40)", default: ""))
          kept["key\(index % 40)"] = writtenText(index)
        } catch {
          failure = error
          // What was not written is not seen either.
          #expect(store[SettingsKey<String?>("key\(index % 40)")] == kept["key\(index % 40)"])
          break
        }
      }
      #expect(failure?.code == .notWritten)
      #expect((failure?.cause as? FileError)?.code == code)
      #expect(failure?.description.contains(directory.path.string) == true)
      // Others find room that they had set apart once a write has failed, maybe enough for all values.
      do throws(SettingsError) {
        try store.save()
        #expect(TemporaryDisk.Format.current != .tmpfs)
      } catch {
        #expect(error.code == .notDurable)
      }
      #expect(store.contents == kept)

      let other = try directory.open(problems)
      #expect(other.contents == kept)
      try empty()
      try other.set("room", for: SettingsKey("after", default: ""))
      try store.set("room", for: SettingsKey("later", default: ""))
      kept["after"] = "room"
      kept["later"] = "room"
      #expect(problems.all.filter { $0.code == .damaged }.isEmpty)
    }
    let problems = Problems()
    #expect(try directory.open(problems).contents == kept)
    #expect(problems.all.isEmpty)
  }

  @Test("P4: as it has no room for another file keeps every change, and saves when there is room")
  func names() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      do {
        let store = try directory.open(Problems())
        try store.set("first", for: name)
        guard try disk.fillWithNames() else {
          print("skipped: \(TemporaryDisk.Format.current) has no limit for the number of files")
          return
        }
        try store.set("second", for: name)
        let error = #expect(throws: SettingsError.self) { try store.save() }
        #expect((error?.cause as? FileError)?.code == .noSpace)
        try store.set("third", for: name)
        #expect(try directory.open(Problems()).contents == ["name": "third"])
        let worker = try directory.server()
        #expect(try worker.ask("set other fourth") == "ok")
        worker.kill()
        try disk.empty()
        try store.save()
      }
      let problems = Problems()
      #expect(try directory.open(problems).contents == ["name": "third", "other": "fourth"])
      #expect(problems.all.isEmpty)
    }
  }

  @Test("P4: as it is full lets what a killed process left be read") func asItIsFullLetsWhat()
    throws
  {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      let worker = try directory.server()
      #expect(try worker.ask("set saved one") == "ok")
      #expect(try worker.ask("save") == "ok")
      #expect(try worker.ask("set changed two") == "ok")
      worker.kill()
      try disk.fill()
      let problems = Problems()
      let store = try directory.open(problems)
      #expect(store.contents == ["saved": "one", "changed": "two"])
      #expect(problems.all.filter { $0.code == .damaged }.isEmpty)
    }
  }

  @Test("P4: as it was full when a store was opened is tried again with each change")
  func asItWasFullWhenAStore() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      let worker = try directory.server()
      #expect(try worker.ask("set saved one") == "ok")
      #expect(try worker.ask("save") == "ok")
      #expect(try worker.ask("set changed two") == "ok")
      worker.kill()
      let files = LocalFileSystem()
      // A lock that is missing needs room at once.
      try files.remove(directory.lock)
      try disk.fill()
      do {
        let store = try directory.open(Problems())
        let large = SettingsKey("large", default: "")
        let error = #expect(throws: SettingsError.self) {
          try store.set(String(repeating: "x", count: 10_000), for: large)
        }
        #expect(error?.code == .notWritten)
        #expect((error?.cause as? FileError)?.code == .noSpace)
        #expect(throws: SettingsError.self) { try store.save() }
        #expect(store.contents == ["saved": "one", "changed": "two"])

        try disk.empty()
        // What others do meanwhile is taken in first.
        let other = try directory.server()
        #expect(try other.ask("set saved three") == "ok")
        try store.transaction { settings in
          #expect(settings[SettingsKey<String?>("saved")] == "three")
          settings[name] = "new"
        }
        #expect(store.contents == ["saved": "three", "changed": "two", "name": "new"])
        try waitUntil(in: directory.path) { try other.ask("get name") == "new" }
        #expect(try other.ask("set other four") == "ok")
        try waitUntil(in: directory.path) { store[SettingsKey<String?>("other")] == "four" }
        other.kill()
        try store.save()
      }
      let problems = Problems()
      #expect(
        try directory.open(problems).contents
          == ["saved": "three", "changed": "two", "name": "new", "other": "four"])
      #expect(problems.all.isEmpty)
    }
  }

  @Test("P4: as it is full is no reason to take settings that are there for none")
  func asItIsFullIsNoReason() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      try directory.open(Problems()).set("kept", for: name)
      let files = LocalFileSystem()
      // As a copy of the property list alone would be.
      for journal in try directory.journals { try files.remove(journal) }
      try files.remove(directory.lock)
      try disk.fill()
      #expect(try directory.open(Problems()).contents == ["name": "kept"])
      try disk.empty()
      #expect(try directory.open(Problems()).contents == ["name": "kept"])
    }
  }

  @Test("P1: as it is read-only lets everything be read, what a killed process left too")
  func asItIsReadOnlyLetsEverything()
    throws
  {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      let worker = try directory.server()
      #expect(try worker.ask("set saved one") == "ok")
      #expect(try worker.ask("set removed one") == "ok")
      #expect(try worker.ask("save") == "ok")
      #expect(try worker.ask("set changed two") == "ok")
      #expect(try worker.ask("remove removed") == "ok")
      worker.kill()
      try disk.protect()
      let problems = Problems()
      let store = try directory.open(problems)
      #expect(store.contents == ["saved": "one", "changed": "two"])
      #expect(problems.all.map(\.code) == [.notWritten])
      #expect(problems.all.first?.description.contains("errno 30") == true)
      let error = #expect(throws: SettingsError.self) { try store.set("new", for: name) }
      #expect(error?.code == .notWritten)
      #expect(error?.description.contains(directory.propertyList.string) == true)
      #expect(store[name] == "default")
    }
  }
}

extension SettingsStore {
  /// All that is stored, as strings.
  fileprivate var contents: [String: String] {
    var contents: [String: String] = [:]
    for name in names { contents[name] = self[SettingsKey(name, default: "no string")] }
    return contents
  }
}
