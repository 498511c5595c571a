import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("P10: a symbolic link in a document's place") struct LinkedDocumentTests {
  @Test("is neither read nor written through", arguments: [true, false])
  func link(isDangling: Bool) throws {
    try withTemporaryFolder { root in
      let folder = CardFolder(root)
      let store = try folder.open()
      let target = root.appending("elsewhere.rwcard")
      let text = Array(#"{"counts":{},"id":"card","images":[],"number":0,"text":"theirs"}"#.utf8)
      if !isDangling { try LocalFileSystem().replaceFile(at: target, with: text) }
      #expect(symlink(target.string, folder.file("card").string) == 0)
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
      #expect(try files.information(at: folder.file("card"))?.kind == .symbolicLink)
      #expect(try files.readFile(at: target) == (isDangling ? nil : text))
    }
  }
}
