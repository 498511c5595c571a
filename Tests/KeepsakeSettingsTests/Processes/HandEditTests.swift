import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A person who edits the property list") struct HandEditTests {
  /// How an editor saves.
  enum Editor: CaseIterable {
    /// A new file takes the old one's name.
    case renaming
    /// The old file is cut and written over.
    case inPlace
    /// The old file gets another name, and a new one is made.
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

  @Test("is heard by a program that runs", arguments: Editor.allCases)
  func isHeardByAProgramThatRuns(editor: Editor) throws {
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

  @Test("is heard by the next program to start") func isHeardByTheNextProgram() throws {
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
      // All but the comment is as the person left it.
      let comment = /<!-- Keepsake.*-->/
      #expect(
        try directory.textOfPropertyList().replacing(comment, with: "")
          == edited.replacing(comment, with: ""))
    }
  }

  @Test("P1: wins over what a killed program left, and costs no other key anything")
  func winsOverWhatAKilledProgramLeft() throws {
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

  @Test("P1: twice in a row, while changes are under way, loses none of them") func twiceInARow()
    throws
  {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let workers = try [directory.server(), directory.server()]
      #expect(try workers[0].ask("set name by-hand-0") == "ok")
      #expect(try workers[0].ask("save") == "ok")
      for round in 1...10 {
        // The property list does not have these yet when it is edited.
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

  @Test("P3: into something that cannot be read loses nothing")
  func intoSomethingThatCannotBeReadLoses() throws {
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
      let aside = FilePath(directory.propertyList.string + ".unreadable-1")
      #expect(try LocalFileSystem().readFile(at: aside) == Array(nonsense.utf8))
      #expect(worker.problems.count == 1)
      #expect(worker.problems.first?.contains(aside.string) == true)
      #expect(try directory.textOfPropertyList().contains("kept"))
    }
  }
}
