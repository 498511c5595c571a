import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

/// Files of other stores, and a store that imports them.
private struct OldSettings {
  let home: Home
  var directory: FilePath { home.root.appending("old") }

  func write(_ bytes: [UInt8], _ name: String = "old.plist") throws -> FilePath {
    try LocalFileSystem().createDirectories(directory)
    let path = directory.appending(name)
    try LocalFileSystem().replaceFile(at: path, with: bytes)
    return path
  }
}

private func withOldSettings<Result>(_ body: (OldSettings) throws -> Result) throws -> Result {
  try withHome { try body(OldSettings(home: $0)) }
}

private let values: [String: PropertyList.Value] = [
  "string": "text é \u{1}", "integer": 42, "largest": .unsigned(.max), "real": 1.5,
  "boolean": true, "date": .date(Date(timeIntervalSinceReferenceDate: 1000)),
  "data": .data(Data([0, 1, 255])), "array": ["a", 1, ["x": 2.5]], "dictionary": ["x": ["y": 1]],
  "": "empty", "a.b/c": "dots", "ключ \u{1F600} <&>": "Unicode",
]

private func damagedCode(_ error: SettingsError?) -> Bool {
  error?.code == .damaged && error?.description.contains("nothing was imported") == true
}

@Suite("P3 and P5: An import of other settings") struct ImportTests {
  @Test("A file that UserDefaults wrote is imported once") func userDefaults() throws {
    let suite = "keepsake-test-\(UInt64.random(in: .min ... .max))"
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set("text \u{1}", forKey: "string")
    defaults.set(42, forKey: "integer")
    defaults.set(true, forKey: "boolean")
    defaults.set(1.5, forKey: "real")
    defaults.set([Data([0, 255])], forKey: "array")
    defaults.set(Date(timeIntervalSinceReferenceDate: 1000), forKey: "date")
    defaults.set("Unicode", forKey: "ключ \u{1F600} <&>")
    defaults.set(["en"], forKey: "AppleLanguages")
    defer { defaults.removePersistentDomain(forName: suite) }
    // There may be no directory in which it can write.
    guard defaults.synchronize() else { return }
    let environment = ProcessInfo.processInfo.environment
    let source = SettingsStore.ImportSource.userDefaults(named: suite)
    let store = SettingsStore.inMemory()
    let result = try store.importOnce(from: source)
    #expect(result.outcome == .imported)
    #expect(result.skipped == [.init(key: "AppleLanguages", reason: .notOfApp)])
    #expect(store[SettingsKey("string", default: "")] == "text \u{1}")
    #expect(store[SettingsKey("integer", default: 0)] == 42)
    #expect(store[SettingsKey("boolean", default: false)])
    #expect(store[SettingsKey("real", default: Double(0))] == 1.5)
    #expect(store[SettingsKey("array", default: [Data]())] == [Data([0, 255])])
    #expect(
      store[SettingsKey("date", default: Date.distantPast)]
        == Date(timeIntervalSinceReferenceDate: 1000))
    #expect(store[SettingsKey("ключ \u{1F600} <&>", default: "")] == "Unicode")
    #expect(store[SettingsKey<[String]?>("AppleLanguages")] == nil)
    defaults.set(43, forKey: "integer")
    defaults.synchronize()
    let again = try store.importOnce(from: .userDefaults(named: suite, environment: environment))
    #expect(again.outcome == .importedBefore && again.keys == [])
    #expect(store[SettingsKey("integer", default: 0)] == 42)
    if let file = result.file { try? LocalFileSystem().remove(file) }
  }

  @Test("UserDefaults are looked for where Foundation writes them")
  func location() {
    func file(_ environment: [String: String]) -> String? {
      let store = SettingsStore.inMemory()
      return try? store.importOnce(
        from: .userDefaults(named: "no such app", environment: environment)
      ).file?.string
    }
    #if !canImport(Darwin)
    #expect(file(["HOME": "/nowhere"]) == "/nowhere/.config/no such app.plist")
    #expect(
      file(["HOME": "/nowhere", "XDG_CONFIG_HOME": "/config"]) == "/config/no such app.plist")
    #expect(
      file(["HOME": "/nowhere", "XDG_CONFIG_HOME": "config"])
        == "/nowhere/.config/no such app.plist")
    #else
    #expect(file(["HOME": "/nowhere"]) == "/nowhere/Library/Preferences/no such app.plist")
    #endif
  }

  @Test("Values of every type and keys of any characters are imported from XML and binary files")
  func everyType() throws {
    let content = PropertyList.Value.dictionary(values)
    for bytes in [content.serializedXML(), content.serializedBinary()] {
      try withOldSettings { old in
        let path = try old.write(bytes)
        let result = try old.home.open().importOnce(from: .propertyList(at: path))
        #expect(result.keys == values.keys.sorted(by: PropertyList.precedes))
        #expect(result.skipped == [] && result.file == path)
        let store = try old.home.open()
        for (key, value) in values {
          #expect(store[SettingsKey<PropertyList.Value?>(key)] == value)
        }
        #expect(try LocalFileSystem().readFile(at: path) == bytes)
      }
    }
  }

  @Test("Keys whose bytes differ are different settings") func spellings() throws {
    try withOldSettings { old in
      let xml = """
        <plist version="1.0"><dict>
        <key>K</key><string>letter</string><key>\u{212A}</key><string>Kelvin</string>
        <key>\u{E9}</key><string>composed</string><key>e\u{301}</key><string>decomposed</string>
        </dict></plist>
        """
      let store = try old.home.open()
      try store.importOnce(from: .propertyList(at: old.write(Array(xml.utf8))))
      for (key, value) in [
        ("K", "letter"), ("\u{212A}", "Kelvin"), ("\u{E9}", "composed"),
        ("e\u{301}", "decomposed"),
      ] {
        #expect(store[SettingsKey(key, default: "")] == value)
      }
    }
  }

  @Test("A setting that has a value keeps it, and this is reported") func existing() throws {
    try withOldSettings { old in
      let path = try old.write(
        PropertyList.Value.dictionary(["rating": 1, "name": "old", "NSWindow": 1])
          .serializedXML())
      let problems = Problems()
      let store = try old.home.open(problems: problems)
      let rating = SettingsKey("rating", default: 0)
      store[rating] = 4
      store.register(defaults: ["name": "registered"])
      let result = try store.importOnce(from: .propertyList(at: path))
      #expect(result.keys == ["name"])
      #expect(
        result.skipped == [
          .init(key: "NSWindow", reason: .notOfApp), .init(key: "rating", reason: .alreadySet),
        ])
      #expect(store[rating] == 4)
      #expect(store[SettingsKey("name", default: "")] == "old")
      #expect(problems.codes == [.notImported])
      let text = problems.all.first?.description ?? ""
      #expect(text.contains("'rating' (already set)") && text.contains(path.string))
      #expect(!text.contains("NSWindow"))
    }
  }

  @Test("A second call, and one after a reset, import nothing") func once() throws {
    try withOldSettings { old in
      let path = try old.write(PropertyList.Value.dictionary(["rating": 1]).serializedXML())
      let source = SettingsStore.ImportSource.propertyList(at: path)
      let rating = SettingsKey("rating", default: 0)
      #expect(try old.home.open().importOnce(from: source).outcome == .imported)
      let store = try old.home.open()
      try store.reset()
      #expect(try store.importOnce(from: source).outcome == .importedBefore)
      #expect(store[rating] == 0 && store.names == ["KeepsakeSettingsImports.\(path)"])
      try LocalFileSystem().remove(path)
      #expect(try store.importOnce(from: source).outcome == .importedBefore)
    }
  }

  @Test("A file that does not exist is looked for again") func missingFile() throws {
    try withOldSettings { old in
      let store = try old.home.open()
      let path = old.directory.appending("old.plist")
      let result = try store.importOnce(from: .propertyList(at: path))
      #expect(result.outcome == .notFound && store.names == [])
      _ = try old.write(PropertyList.Value.dictionary(["rating": 1]).serializedXML())
      #expect(try store.importOnce(from: .propertyList(at: path)).outcome == .imported)
    }
  }

  @Test("A file that cannot be read is an error, and is looked for again") func unreadable() throws
  {
    try withOldSettings { old in
      let store = try old.home.open()
      let path = old.directory.appending("old.plist")
      try LocalFileSystem().createDirectories(path)
      #expect {
        try store.importOnce(from: .propertyList(at: path))
      } throws: { error in
        let error = error as? SettingsError
        return error?.code == .unavailable && error?.description.contains(path.string) == true
      }
      #expect(store.names == [])
      let link = old.directory.appending("link.plist")
      let target = try old.write(PropertyList.Value.dictionary(["a": 1]).serializedXML(), "a.plist")
      try FileManager.default.createSymbolicLink(
        atPath: link.string, withDestinationPath: target.string)
      #expect {
        try store.importOnce(from: .propertyList(at: link))
      } throws: { ($0 as? SettingsError)?.code == .unavailable }
      let disk = SimulatedDisk()
      try disk.createDirectories("/app")
      try disk.replaceFile(at: "/app/old.plist", with: Array("<plist/>".utf8))
      let simulated = try SettingsStore(
        file: "/app/new.plist", fileSystem: disk, isAutomatic: false)
      disk.failAlways(.read)
      #expect {
        try simulated.importOnce(from: .propertyList(at: "/app/old.plist"))
      } throws: { ($0 as? SettingsError)?.code == .unavailable }
      #expect(simulated.names == [])
    }
  }

  @Test("A truncated file is an error that says where, and nothing is imported")
  func truncated() throws {
    try withOldSettings { old in
      let content = PropertyList.Value.dictionary(values)
      let store = try old.home.open()
      let xml = content.serializedXML()
      let binary = content.serializedBinary()
      for bytes in [Array(xml.prefix(xml.count * 2 / 3)), Array(binary.dropLast()), []] {
        let path = try old.write(bytes)
        let error = #expect(throws: SettingsError.self) {
          try store.importOnce(from: .propertyList(at: path))
        }
        #expect(damagedCode(error))
        let text = error?.description ?? ""
        #expect(text.contains(path.string))
        #expect(text.contains("line ") || text.contains("byte "))
        #expect(store.names == [])
        #expect(try LocalFileSystem().readFile(at: path) == bytes)
      }
      try store.importOnce(from: .propertyList(at: old.write(xml)))
      #expect(store[SettingsKey("integer", default: 0)] == 42)
    }
  }

  @Test("The intact settings of a damaged file are imported on request") func damaged() throws {
    try withOldSettings { old in
      let text = String(
        decoding: PropertyList.Value.dictionary(["a": 1, "b": "two", "c": "three"])
          .serializedXML(), as: UTF8.self)
      let path = try old.write(
        Array(text.replacing("<string>two</string>", with: "<string>two</strinG>").utf8))
      let problems = Problems()
      let store = try old.home.open(problems: problems)
      let error = #expect(throws: SettingsError.self) {
        try store.importOnce(from: .propertyList(at: path))
      }
      #expect(error?.description.contains("2 intact settings") == true)
      let result = try store.importOnce(from: .propertyList(at: path), acceptsDamage: true)
      #expect(result.outcome == .imported && result.keys == ["a", "c"])
      #expect(problems.codes == [.damaged])
      #expect(problems.all.first?.description.contains("line ") == true)
      #expect(try store.importOnce(from: .propertyList(at: path)).outcome == .importedBefore)
    }
  }

  @Test("A file is imported whole while another program writes it in place")
  func beingWritten() throws {
    try withOldSettings { old in
      let xml = PropertyList.Value.dictionary(values).serializedXML()
      let path = try old.write(Array(xml.prefix(100)))
      let store = try old.home.open()
      let handle = try #require(FileHandle(forWritingAtPath: path.string))
      let writer = Thread {
        for end in stride(from: 300, to: xml.count + 200, by: 200) {
          Thread.sleep(forTimeInterval: 0.05)
          handle.seekToEndOfFile()
          handle.write(Data(xml[(end - 200)..<min(end, xml.count)]))
        }
      }
      writer.start()
      let result = try store.importOnce(from: .propertyList(at: path))
      #expect(result.keys.count == values.count)
    }
  }

  @Test("Settings can be renamed") func renaming() throws {
    try withOldSettings { old in
      let path = try old.write(
        PropertyList.Value.dictionary(["old": 1, "other": 2, "new": 3, "AppleTheme": "dark"])
          .serializedXML())
      let store = try old.home.open()
      let result = try store.importOnce(
        from: .propertyList(at: path),
        renaming: ["old": "audio.volume", "other": "new", "AppleTheme": "theme"])
      #expect(result.keys == ["audio.volume", "new", "theme"])
      #expect(result.skipped == [.init(key: "other", reason: .sameName)])
      #expect(store[SettingsKey("audio.volume", default: 0)] == 1)
      #expect(store[SettingsKey("new", default: 0)] == 3)
    }
  }

  @Test("What another store remembers about itself is not imported") func reserved() throws {
    try withOldSettings { old in
      let path = try old.write(
        PropertyList.Value.dictionary(["KeepsakeSettingsVersion": 7, "a": 1]).serializedXML())
      let store = try old.home.open()
      let result = try store.importOnce(from: .propertyList(at: path))
      #expect(result.keys == ["a"])
      try store.migrate([SettingsStore.Migration(to: 1) { _ in }])
    }
  }

  @Test("JSON is imported, without null; an error has its location") func json() throws {
    try withOldSettings { old in
      let store = try old.home.open()
      let bad = try old.write(Array("{\n  \"a\": 1,\n  \"b\": tru\n}".utf8), "bad.json")
      let error = #expect(throws: SettingsError.self) {
        try store.importOnce(from: .json(at: bad))
      }
      #expect(damagedCode(error) && error?.description.contains("line 3") == true)
      let array = try old.write(Array("[1]".utf8), "array.json")
      #expect(throws: SettingsError.self) { try store.importOnce(from: .json(at: array)) }
      let text = """
        {"name": "é", "count": 3, "ratio": 0.5, "on": true, "none": null, // a comment
         "list": [1, "two"], "object": {"x": 1}, "big": 18446744073709551615}
        """
      let good = try old.write(Array(text.utf8), "good.json")
      let result = try store.importOnce(from: .json(at: good))
      #expect(result.keys == ["big", "count", "list", "name", "object", "on", "ratio"])
      #expect(result.skipped == [.init(key: "none", reason: .null)])
      #expect(store[SettingsKey("count", default: 0)] == 3)
      #expect(store[SettingsKey("big", default: UInt64(0))] == .max)
      #expect(store[SettingsKey("object", default: [String: Int]())] == ["x": 1])
    }
  }

  @Test("Environment files are imported") func environmentFile() throws {
    try withOldSettings { old in
      let text = """
        \u{FEFF}# A comment
        export PORT=8080   # a comment
          HOST = example.com\r
        NAME="two words\\n\\"q\\" \\$x C:\\dir" # a comment
        PATTERN='^\\d+#$'
        DEBUG=true
        RATIO=0.5
        PHONE=0041
        VERSION=1.10
        COLOR=a#b
        EMPTY=
        NUMBER="12"
        PORT=8081
        """
      let store = try old.home.open()
      let path = try old.write(Array(text.utf8), ".env")
      let result = try store.importOnce(from: .environmentFile(at: path))
      #expect(result.keys.count == 11)
      let expected: [String: PropertyList.Value] = [
        "PORT": 8081, "HOST": "example.com", "NAME": "two words\n\"q\" $x C:\\dir",
        "PATTERN": "^\\d+#$", "DEBUG": true, "RATIO": 0.5, "PHONE": "0041", "VERSION": "1.10",
        "COLOR": "a#b", "EMPTY": "", "NUMBER": "12",
      ]
      for (key, value) in expected {
        #expect(store[SettingsKey<PropertyList.Value?>(key)] == value, "\(key)")
      }
    }
  }

  @Test(
    "An error in an environment file has its line and column",
    arguments: [
      ("A=1\nB\n", "line 2, column 2"), ("=1", "line 1, column 1"),
      ("A=1\n\nB='x", "line 3, column 3"), ("A=\"x\" y", "line 1, column 7"),
    ])
  func environmentFileErrors(_ text: String, _ location: String) throws {
    try withOldSettings { old in
      let store = try old.home.open()
      let path = try old.write(Array(text.utf8), ".env")
      let error = #expect(throws: SettingsError.self) {
        try store.importOnce(from: .environmentFile(at: path))
      }
      #expect(damagedCode(error) && error?.description.contains(location) == true)
    }
  }

  @Test("A closure imports from anything else, once, and overwrites nothing") func closure() throws
  {
    struct Unreachable: Error {}
    let problems = Problems()
    let store = SettingsStore.inMemory(onProblem: { problems.add($0) })
    let rating = SettingsKey("rating", default: 0)
    let name = SettingsKey("name", default: "")
    store[rating] = 4
    #expect(throws: Unreachable.self) {
      try store.importOnce(named: "database") { settings in
        settings[name] = "half"
        throw Unreachable()
      }
    }
    #expect(store.names == ["rating"])
    let result = try store.importOnce(named: "database") { settings in
      settings[rating] = 1
      settings[name] = "old"
      settings.remove(SettingsKey("unused", default: 0))
    }
    #expect(result.keys == ["name"])
    #expect(result.skipped == [.init(key: "rating", reason: .alreadySet)])
    #expect(store[rating] == 4 && store[name] == "old")
    let again = try store.importOnce(named: "database") { _ in Issue.record("it ran again") }
    #expect(again.outcome == .importedBefore)
    #expect(try store.importOnce(named: "other") { _ in }.outcome == .imported)
    #expect(problems.codes == [.notImported])
  }

  @Test("An import that many stores start at the same time is made once") func concurrent()
    async throws
  {
    try await withHome { home in
      let old = OldSettings(home: home)
      let path = try old.write(PropertyList.Value.dictionary(values).serializedXML())
      let imports = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try home.open().importOnce(from: .propertyList(at: path)).outcome == .imported
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(imports == 1)
    }
  }

  @Test(
    "A process that is killed, or a power cut, leaves all or nothing of an import",
    arguments: [SimulatedDisk.Model.processDeath, .posix])
  func cuts(_ model: SimulatedDisk.Model) async throws {
    let old = FilePath("/old/old.plist")
    let new = FilePath("/new/new.plist")
    let rating = SettingsKey("rating", default: 0)
    let start = SimulatedDisk()
    try start.createDirectories("/old")
    let content: [String: PropertyList.Value] = ["rating": 1, "name": "old", "list": [1, 2]]
    try start.replaceFile(
      at: old, with: PropertyList.Value.dictionary(content).serializedXML())
    let expected = ["KeepsakeSettingsImports./old/old.plist", "list", "name", "rating"]
    func open(_ disk: SimulatedDisk) throws -> SettingsStore {
      try SettingsStore(file: new, fileSystem: disk, isAutomatic: false)
    }
    let report = try await CutExplorer(model: model).run(from: start) { disk in
      let store = try open(disk)
      try store.set(4, for: rating)
      try await store.synchronize()
      disk.mark("set")
      try store.importOnce(from: .propertyList(at: old))
      if model != .processDeath { try await store.synchronize() }
      disk.mark("imported")
      try store.save()
    } check: { disk, cut in
      let store = try open(disk)
      let names = store.names
      guard names == expected || names == ["rating"] || names == [] else {
        throw Broken("half of an import: \(names)")
      }
      if cut.marks.count > 0, store[rating] != 4 { throw Broken("the user's value is lost") }
      if cut.marks.count > 1, names != expected { throw Broken("the import is lost") }
      let again = try store.importOnce(from: .propertyList(at: old))
      if (again.outcome == .importedBefore) != (names == expected) {
        throw Broken("the import and its mark differ")
      }
      guard store.names == expected else { throw Broken("not imported: \(store.names)") }
    }
    #expect(report.states > 10)
  }
}
