import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P10: a symbolic link in a document's place") struct LinkedDocumentTests {
  @Test("is neither read nor written through", arguments: [true, false])
  func link(isDangling: Bool) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      let target = root.appending("elsewhere.rwcard")
      let text = Array(#"{"counts":{},"id":"card","images":[],"number":0,"text":"theirs"}"#.utf8)
      if !isDangling { try LocalFileSystem().replaceFile(at: target, with: text) }
      #expect(symlink(target.string, directory.file("card").string) == 0)
      for attempt in [
        { () throws in _ = try store.load("card") },
        { try store.save(WrittenCard(id: "card")) },
        { try store.create(WrittenCard(id: "card")) },
        { _ = try store.open("card") },
      ] {
        let error = #expect(throws: DocumentError.self) { try attempt() }
        #expect(error?.code == .unavailable)
      }
      let files = LocalFileSystem()
      #expect(try files.information(at: directory.file("card"))?.kind == .symbolicLink)
      #expect(try files.readFile(at: target) == (isDangling ? nil : text))
    }
  }

  @Test("keeps all assets from being collected, as does a name that cannot be read")
  func collecting() throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let asset = try directory.open().addAsset(writtenImage(1))
      let store = try directory.open()
      let target = root.appending("elsewhere.rwcard")
      try LocalFileSystem().replaceFile(at: target, with: Array("{\"\(asset)\":1}".utf8))
      let link = directory.file("card").string
      #expect(symlink(target.string, link) == 0)
      let linked = #expect(throws: DocumentError.self) {
        try store.collectOrphans(olderThan: .zero)
      }
      #expect(linked?.code == .unavailable)
      #expect(unlink(link) == 0)
      // One to a directory is none to a document.
      #expect(symlink(root.string, link) == 0)

      let name = Array("\(directory.path)/".utf8CString.dropLast()) + [-1, 0]
      let file = open(name, O_WRONLY | O_CREAT, 0o600)
      #expect(file >= 0)
      #expect(write(file, asset.name, asset.name.utf8.count) == asset.name.utf8.count)
      close(file)
      let named = #expect(throws: DocumentError.self) {
        try store.collectOrphans(olderThan: .zero)
      }
      #expect(named?.code == .unavailable)
      #expect(try store.asset(asset) == writtenImage(1))
      #expect(unlink(name) == 0)
      #expect(try store.collectOrphans(olderThan: .zero) == [asset])
    }
  }
}
