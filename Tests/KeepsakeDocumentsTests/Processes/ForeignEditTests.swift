import Dispatch
import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A card that a program without the library changes") struct ForeignEditTests {
  /// How another program puts a new text in a file's place.
  enum Writer: CaseIterable {
    /// As an editor without a backup does: the file is cut, and written in pieces.
    case inPlace
    /// As most editors and every sync tool do.
    case renaming
    /// As an editor that keeps a backup under another name.
    case movingAside

    func save(_ text: String, to path: FilePath) throws {
      let new = path.removingLastComponent().appending(".sync-\(path.lastComponent!.string).tmp")
      switch self {
      case .inPlace:
        let file = try FileDescriptor.open(path, .writeOnly, options: [.truncate])
        try file.closeAfter {
          for byte in text.utf8.chunked(by: 16) {
            _ = try file.writeAll(byte)
            usleep(500)
          }
        }
      case .renaming, .movingAside:
        let file = try FileDescriptor.open(
          new, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
        let files = LocalFileSystem()
        if self == .movingAside {
          try files.rename(path, to: FilePath(path.string + "~"))
        }
        try files.rename(new, to: path)
      }
    }
  }

  @Test("is not taken for what this process saved last", arguments: Writer.allCases)
  func saved(_ writer: Writer) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      let card = WrittenCard(id: "card")
      try store.create(card)
      let text = try directory.text("card")
      let theirs = text.replacing(/"number" : 0/, with: "\"number\" : 7")
      #expect(theirs != text)
      try writer.save(theirs, to: directory.file("card"))

      var changed = card
      changed.number = 2
      // What would need no writing is no reason not to look.
      for card in [changed, card] {
        let error = #expect(throws: DocumentError.self) { try store.save(card) }
        #expect(error?.code == .conflict)
        #expect(try directory.text("card") == theirs)
      }

      try LocalFileSystem().remove(directory.file("card"))
      for card in [changed, card] {
        let error = #expect(throws: DocumentError.self) { try store.save(card) }
        #expect(error?.code == .conflict)
        #expect(try directory.text("card") == "")
      }
    }
  }

  @Test("is read as it is then, whole", arguments: Writer.allCases)
  func read(_ writer: Writer) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("create card text-0") == "ok")
      for round in 1...10 {
        let text = try directory.text("card").replacing(/text-\d+/, with: "text-\(round)")
        // Half way through, or after.
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          try? writer.save(text, to: directory.file("card"))
          isDone.signal()
        }
        usleep(UInt32(round * 300))
        let answer = try worker.ask("load card")
        #expect(
          ["text-\(round - 1) []", "text-\(round) []"].contains(answer)
            // Between the two names there is none.
            || writer == .movingAside && answer.hasPrefix("error notFound"))
        isDone.wait()
        #expect(try worker.ask("load card") == "text-\(round) []")
      }
      #expect(worker.problems == [])
      #expect(try LocalFileSystem().information(at: directory.path.appending("Quarantine")) == nil)
    }
  }

  @Test("is not written over, and its changes are offered with ours", arguments: Writer.allCases)
  func conflict(_ writer: Writer) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("create card ours-0") == "ok")
      let text = try directory.text("card").replacing(
        "\"counts\" : {", with: "\"counts\" : {\"hand\": 7"
      )
      .replacing("\"id\"", with: "\"note\": \"by hand\",\n  \"id\"")
      #expect(text.contains("hand"))
      try writer.save(text, to: directory.file("card"))
      let answer = try worker.ask("text card ours-1")
      #expect(answer.hasPrefix("error conflict"))
      for part in [#""text":"ours-1""#, #""hand":7"#, #""note":"by hand""#] {
        #expect(answer.contains(part))
      }
      #expect(try directory.text("card") == text)
      #expect(try worker.ask("load card") == #"ours-0 ["hand7"]"#)
      #expect(try worker.ask("text card ours-2") == "ok")
      let saved = try directory.text("card")
      // What no type of ours knows is still there.
      for part in ["ours-2", "\"hand\" : 7", "\"note\" : \"by hand\""] {
        #expect(saved.contains(part))
      }
    }
  }

  @Test("in its layout alone is none that anybody has to decide about") func layout() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("create card ours-0") == "ok")
      let text = try directory.text("card").split(separator: "\n").joined(separator: "\r\n\t")
      try Writer.renaming.save(text, to: directory.file("card"))
      #expect(try worker.ask("text card ours-1") == "ok")
      #expect(try directory.text("card").contains("ours-1"))
    }
  }

  @Test("P3: into nonsense is quarantined, and the program's own is kept") func nonsense() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("create card ours-0") == "ok")
      let nonsense = "{\"id\": \"card\", \"text\": half"
      try Writer.renaming.save(nonsense, to: directory.file("card"))
      try makeOld(directory.file("card"))
      let answer = try worker.ask("text card ours-1")
      #expect(answer.hasPrefix("error unreadable"))
      #expect(answer.contains("line 1, column"))
      let aside = directory.path.appending("Quarantine").appending("card.rwcard-1")
      #expect(try LocalFileSystem().readFile(at: aside) == Array(nonsense.utf8))
      #expect(answer.contains(aside.string))
      #expect(try directory.visibleFiles() == [])
      #expect(try worker.ask("create card ours-1") == "ok")
      #expect(try directory.text("card").contains("ours-1"))
    }
  }
}

extension String.UTF8View {
  fileprivate func chunked(by count: Int) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    for (index, byte) in enumerated() {
      if index % count == 0 { chunks.append([]) }
      chunks[chunks.count - 1].append(byte)
    }
    return chunks
  }
}
