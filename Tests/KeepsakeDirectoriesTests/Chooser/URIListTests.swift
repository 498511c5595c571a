import KeepsakeDirectories
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("What is dragged from a file manager") struct URIListTests {
  @Test("One directory is accepted, a file and several items are explained") func directory() throws
  {
    try withTemporaryDirectory { directory in
      let root = realPath(of: directory)
      try makeDirectory(root.appending("My Photos"))
      try write("x", to: root.appending("file"))
      let photos = "file://\(root.string)/My%20Photos"
      #expect(try URIList("\(photos)\r\n").directory() == root.appending("My Photos"))
      #expect(
        try URIList("# a comment\r\n\(photos)\r\n").directory() == root.appending("My Photos"))
      let file = try #require(throws: DirectoryChooserError.self) {
        try URIList("file://\(root.string)/file").directory()
      }
      #expect(file == .notADirectory(root.appending("file")))
      #expect("\(file)".hasSuffix("is a file; choose a directory instead"))
      #expect(throws: DirectoryChooserError.notOneItem(count: 2)) {
        try URIList("\(photos)\r\n\(photos)\r\n").directory()
      }
      #expect(throws: DirectoryChooserError.notOneItem(count: 0)) { try URIList("").directory() }
      #expect(throws: DirectoryChooserError.missing(root.appending("gone"))) {
        try URIList("file://\(root.string)/gone").directory()
      }
    }
  }

  @Test("Paths of this machine are read byte for byte") func paths() throws {
    #expect(try URIList("file:///a%25/%C3%BC%0A").paths == ["/a%/ü\n"])
    #expect(try URIList("file:/a\nFILE://localhost/b").paths == ["/a", "/b"])
    let notUTF8 = try URIList("file:///%FF").paths[0]
    #expect(
      notUTF8.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: 3)) } == [47, -1, 0])
  }

  @Test(
    "Another machine's files and other URIs are not on this machine",
    arguments: [
      "https://example.com/a", "file://elsewhere.example/a", "file:a", "file:///a%0",
      "file:///a%00b",
      "file:///a?b", "file:///a#b", "sftp://host/a", "/a", "file://",
    ])
  func elsewhere(uri: String) {
    #expect(throws: DirectoryChooserError.notLocal(uri)) { try URIList(uri) }
  }
}
