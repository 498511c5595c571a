import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Full disks") struct FullDiskTests {
  private let name = SettingsKey("name", default: "default")

  @Test("P4: On a full disk a change throws, all others are kept, and writing resumes with space")
  func fullDisk() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      try checkRecovery(in: disk.root, refusing: .noSpace, disk.fill(), freeing: disk.empty())
    }
  }

  @Test("P4: An exhausted quota has the same effect as a full disk") func quota() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      guard let directory = disk.makeLimitedDirectory(megabytes: 2) else {
        print(
          "skipped: \(TemporaryDisk.Format.current) has no quota here that applies to this user")
        return
      }
      try checkRecovery(
        in: directory, refusing: .diskQuotaExceeded, disk.fill(directory),
        freeing: disk.empty(directory))
    }
  }

  private func checkRecovery(
    in root: FilePath, refusing code: Errno, _ fill: @autoclosure () throws -> Void,
    freeing empty: @autoclosure () throws -> Void
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
          // A change that was not written is not visible either.
          #expect(store[SettingsKey<String?>("key\(index % 40)")] == kept["key\(index % 40)"])
          break
        }
      }
      #expect(failure?.code == .notWritten)
      #expect((failure?.cause as? FileError)?.code == code)
      #expect(failure?.description.contains(directory.path.string) == true)
      // Other file systems release reserved space once a write has failed, maybe enough for all
      // values.
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

  @Test("P4: With no space for another file, changes are kept, and a later save succeeds")
  func fullDirectory() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      do {
        let store = try directory.open(Problems())
        try store.set("first", for: name)
        guard try disk.fillWithNames() else {
          print("skipped: \(TemporaryDisk.Format.current) does not limit the number of files")
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

  @Test("P4: On a full disk, the changes of a killed process can be read")
  func killedProcess() throws {
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

  @Test("P4: A store that was opened on a full disk tries to write again with each change")
  func fullAtOpening() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      let worker = try directory.server()
      #expect(try worker.ask("set saved one") == "ok")
      #expect(try worker.ask("save") == "ok")
      #expect(try worker.ask("set changed two") == "ok")
      worker.kill()
      let files = LocalFileSystem()
      // A missing lock file needs space at once.
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
        // Changes of other processes are read first.
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

  @Test("P4: On a full disk, existing settings are not mistaken for missing ones")
  func existingSettings() throws {
    try TemporaryDisk.with(size: "128k") { disk in
      let directory = WorkerDirectory(disk.root)
      try directory.open(Problems()).set("kept", for: name)
      let files = LocalFileSystem()
      // As if only the property list had been copied.
      for journal in try directory.journals { try files.remove(journal) }
      try files.remove(directory.lock)
      try disk.fill()
      #expect(try directory.open(Problems()).contents == ["name": "kept"])
      try disk.empty()
      #expect(try directory.open(Problems()).contents == ["name": "kept"])
    }
  }

  @Test("P1: On a read-only disk all values can be read, also those of a killed process")
  func readOnlyDisk() throws {
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
    for name in names { contents[name] = self[SettingsKey(name, default: "not a string")] }
    return contents
  }
}
