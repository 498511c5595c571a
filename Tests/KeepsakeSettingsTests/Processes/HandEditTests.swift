import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Manual edits of the property list") struct HandEditTests {
  /// How an editor saves.
  enum Editor: CaseIterable {
    /// A new file replaces the old one.
    case renaming
    /// The old file is truncated and overwritten.
    case inPlace
    /// The old file is renamed, and a new one is created.
    case backingUp

    func save(_ text: String, to path: FilePath) throws {
      let files = LocalFileSystem()
      switch self {
      case .renaming: try files.replaceFile(at: path, with: Array(text.utf8))
      case .inPlace: try write(text, to: path)
      case .backingUp:
        try files.rename(path, to: FilePath(path.string + "~"))
        try write(text, to: path)
        try files.remove(FilePath(path.string + "~"))
      }
    }

    private func write(_ text: String, to path: FilePath) throws {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(text.utf8) }
    }
  }

  @Test("Running processes receive a manual edit", arguments: Editor.allCases)
  func runningProcesses(editor: Editor) throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let workers = try [directory.server(), directory.server()]
      #expect(try workers[0].ask("set name before") == "ok")
      #expect(try workers[0].ask("set other kept") == "ok")
      #expect(try workers[0].ask("save") == "ok")
      for round in 0..<5 {
        #expect(try workers[0].ask("set round \(round)") == "ok")
        #expect(try workers[0].ask("save") == "ok")
        let text = try directory.textOfPropertyList()
        let edited = text.replacing(
          /<string>(before|edited\d)<\/string>/, with: "<string>edited\(round)</string>")
        #expect(edited != text)
        try editor.save(edited, to: directory.propertyList)
        for worker in workers {
          try waitUntil(in: directory.path) { try worker.ask("get name") == "edited\(round)" }
          #expect(try worker.ask("get other") == "kept")
          #expect(try worker.ask("get round") == "\(round)")
        }
      }
      for worker in workers {
        #expect(worker.problems == [])
        try worker.end()
      }
      #expect(try directory.textOfPropertyList().contains("<string>edited4</string>"))
    }
  }

  @Test("An edit that changes only a character's bytes is not lost") func equalStrings() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let store = try directory.open(Problems())
      let key = SettingsKey("name", default: "")
      try store.set("\u{E9}", for: key)
      try store.save()
      let text = try directory.textOfPropertyList()
      let edited = String(
        decoding: Array(text.utf8).replacing([0xC3, 0xA9], with: Array("e\u{301}".utf8)),
        as: UTF8.self)
      try Editor.renaming.save(edited, to: directory.propertyList)
      try waitUntil(in: directory.path) { Array(store[key].utf8) == Array("e\u{301}".utf8) }
      try store.set(1, for: SettingsKey("other", default: 0))
      try store.save()
      #expect(try Array(directory.open(Problems())[key].utf8) == Array("e\u{301}".utf8))
    }
  }

  @Test("The next process receives a manual edit") func nextProcess() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let first = try directory.server()
      #expect(try first.ask("set name before") == "ok")
      try first.end()
      let edited = try directory.textOfPropertyList().replacing("before", with: "after")
      try Editor.inPlace.save(edited, to: directory.propertyList)
      let second = try directory.server()
      #expect(try second.ask("get name") == "after")
      try second.end()
      // Only the comment differs from the edit.
      let comment = /<!-- Keepsake.*-->/
      #expect(
        try directory.textOfPropertyList().replacing(comment, with: "")
          == edited.replacing(comment, with: ""))
    }
  }

  @Test("P1: An edit overrides the changes of a killed process and affects no other key")
  func editAfterKill() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let first = try directory.server()
      for key in ["edited", "changed", "both", "removed"] {
        #expect(try first.ask("set \(key) old") == "ok")
      }
      #expect(try first.ask("save") == "ok")
      let before = try directory.textOfPropertyList()
      for key in ["changed", "both", "new"] { #expect(try first.ask("set \(key) set") == "ok") }
      first.kill()
      #expect(try directory.textOfPropertyList() == before)

      var text = before
      for key in ["edited", "both"] {
        text = text.replacing(try Regex("(<key>\(key)</key>\\s*<string>)old"), maxReplacements: 1) {
          "\($0.output[1].substring!)by hand"
        }
      }
      text = text.replacing(/\s*<key>removed<\/key>\s*<string>old<\/string>/, with: "")
      try Editor.renaming.save(text, to: directory.propertyList)
      for _ in 0..<2 {
        let next = try directory.server()
        #expect(try next.ask("get edited") == "by hand")
        #expect(try next.ask("get both") == "by hand")
        #expect(try next.ask("get removed") == "nothing")
        #expect(try next.ask("get changed") == "set")
        #expect(try next.ask("get new") == "set")
        #expect(next.problems == [])
        try next.end()
      }
    }
  }

  @Test("P1: Two edits in a row lose no change that is not yet in the property list")
  func repeatedEdits() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let workers = try [directory.server(), directory.server()]
      #expect(try workers[0].ask("set name by-hand-0") == "ok")
      #expect(try workers[0].ask("save") == "ok")
      for round in 1...10 {
        // The property list does not contain these yet when it is edited.
        #expect(try workers[0].ask("set one \(round)") == "ok")
        #expect(try workers[1].ask("set two \(round)") == "ok")
        for edit in 0..<2 {
          let name = "by-hand-\(round)-\(edit)"
          let text = try directory.textOfPropertyList().replacing(/by-hand[-\d]+/, with: name)
          try Editor.renaming.save(text, to: directory.propertyList)
          for worker in workers {
            try waitUntil(in: directory.path) { try worker.ask("get name") == name }
          }
        }
        for worker in workers {
          #expect(try worker.ask("get one") == "\(round)")
          #expect(try worker.ask("get two") == "\(round)")
        }
      }
    }
  }

  @Test("P3: An edit that cannot be read loses nothing")
  func unreadableEdit() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name kept") == "ok")
      #expect(try worker.ask("save") == "ok")
      let nonsense = "<plist><dict><key>name</key><string>half"
      try Editor.renaming.save(nonsense, to: directory.propertyList)
      #expect(try worker.ask("set other value") == "ok")
      #expect(try worker.ask("save") == "ok")
      #expect(try worker.ask("get name") == "kept")
      let quarantineFile = FilePath(directory.propertyList.string + ".unreadable-1")
      #expect(try LocalFileSystem().readFile(at: quarantineFile) == Array(nonsense.utf8))
      #expect(worker.problems.count == 1)
      #expect(worker.problems.first?.contains(quarantineFile.string) == true)
      #expect(try directory.textOfPropertyList().contains("kept"))
    }
  }
}
