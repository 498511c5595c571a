import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeDirectories

@Suite("What is typed or dragged into a terminal") struct TypedPathTests {
  @Test("A path is found as it is typed, quoted, escaped, dragged or relative to home")
  func readings() throws {
    try withTemporaryDirectory { directory in
      let root = realPath(of: directory)
      let names = ["My Photos", "it's", "100%", "a\\b", "  spaces ", "'quoted'", "ü"]
      for name in names { try makeDirectory(root.appending(name)) }
      let typedPath = TypedPath(base: root, home: root)
      func read(_ line: String) throws -> String? {
        try typedPath.directory(in: line).lastComponent?.string
      }
      for name in names { #expect(try read(name) == name) }
      #expect(try read("'\(root.string)/My Photos' ") == "My Photos")
      #expect(try read("\(root.string)/My\\ Photos ") == "My Photos")
      #expect(try read("\"My Photos\"") == "My Photos")
      #expect(try read("'it'\\''s'") == "it's")
      #expect(try read("file://\(root.string)/My%20Photos") == "My Photos")
      #expect(try read("file://\(root.string)/%C3%BC") == "ü")
      #expect(try read("~/ü/") == "ü")
      #expect(try read("~") == root.lastComponent?.string)
      #expect(try read("/") == nil)
      #expect(throws: DirectoryChooserError.missing(root.appending("'open"))) { try read("'open") }
      #expect(throws: DirectoryChooserError.self) { try read("a\0b") }
    }
  }

  @Test("Completion offers directories only, hidden ones after a dot") func completion() throws {
    try withTemporaryDirectory { directory in
      for name in ["alpha", "alps", ".hidden", "deep/er", "e\u{301}t"] {
        try makeDirectory(directory.pushing(FilePath(name)))
      }
      try write("x", to: directory.appending("also"))
      try link(directory.appending("link"), to: "deep")
      try link(directory.appending("lost"), to: "nowhere")
      let typedPath = TypedPath(base: directory, home: directory)
      func complete(_ text: String) -> [String] {
        let completion = DirectoryCompletion(text, in: typedPath)
        return [String(completion.text.dropFirst(text.count))] + completion.names
      }
      #expect(complete("a") == ["lp", "alpha", "alps"])
      #expect(complete("alp") == ["", "alpha", "alps"])
      #expect(complete("alph") == ["a/", "alpha"])
      #expect(complete("l") == ["ink/", "link"])
      #expect(complete(".h") == ["idden/", ".hidden"])
      #expect(complete("link/") == ["er/", "er"])
      #expect(complete("~/d") == ["eep/", "deep"])
      #expect(complete("~") == ["/"])
      let composed = DirectoryCompletion("\u{E9}", in: typedPath).text
      #expect(composed.utf8.elementsEqual("e\u{301}t/".utf8))
      #expect(complete("zz") == [""])
      #expect(complete("missing/x") == [""])
      #expect(complete("also/") == [""])
      #expect(complete("") == ["", "alpha", "alps", "deep", "link", "e\u{301}t"])
    }
  }
}
