import Testing

@testable import Stage
@testable import WorkingDirectory

@Suite("What a page lists of a drop is checked before anything is received")
struct DropManifestTests {
  private static let limits = DropLimits(
    entries: 4, fileSize: 10, totalSize: 20, manifestSize: 1000, pathLength: 600, depth: 3)

  private func manifest(
    _ directories: [String] = [], files: [(String, Int)] = []
  ) -> DropManifest {
    DropManifest(
      directories: directories, files: files.map { DropManifest.File(path: $0, size: $1) })
  }

  @Test(
    "A path that is not made of names is refused",
    arguments: [
      "", "/", "/etc/passwd", ".", "..", "../a", "a/..", "a/../../b", "a/.", "a/", "a//b", "a\0b",
      "a/b\0", "a/b/c/d", String(repeating: "x", count: 256), String(repeating: "ä", count: 128),
      "a/\(String(repeating: "x", count: 255))/\(String(repeating: "y", count: 255))"
        + String(repeating: "z", count: 200),
    ])
  func unusablePaths(path: String) {
    #expect(throws: DropError.unusablePath(path)) {
      try manifest(files: [(path, 1)]).check(Self.limits)
    }
    #expect(throws: DropError.unusablePath(path)) { try manifest([path]).check(Self.limits) }
  }

  @Test("A path has a limit, also if each of its names is short enough")
  func longPaths() {
    let name = String(repeating: "x", count: 250)
    let directories = [name, name + "/" + name]
    #expect(throws: Never.self) { try manifest(directories).check(Self.limits) }
    let path = directories[1] + "/" + name
    #expect(throws: DropError.unusablePath(path)) {
      try manifest(directories + [path]).check(Self.limits)
    }
  }

  @Test(
    "A name may be any other, as the file system has it",
    arguments: [
      "größe", "a b", "..a", "...", ".hidden", "back\\slash", "line\nbreak", "C:", "%2e%2e",
      String(repeating: "x", count: 255),
    ])
  func usableNames(name: String) {
    #expect(throws: Never.self) { try manifest(files: [(name, 1)]).check(Self.limits) }
    #expect(throws: Never.self) { try manifest([name]).check(Self.limits) }
  }

  @Test("Files and directories together have a limit") func entries() {
    let files = [("a/1", 1), ("a/2", 1), ("a/3", 1)]
    #expect(throws: Never.self) { try manifest(["a"], files: files).check(Self.limits) }
    #expect(throws: DropError.tooManyEntries(limit: 4)) {
      try manifest(["a", "b"], files: files).check(Self.limits)
    }
    #expect(throws: DropError.tooManyEntries(limit: 4)) {
      try manifest(["a", "b", "c", "d", "e"]).check(Self.limits)
    }
    #expect(throws: DropError.empty) { try manifest().check(Self.limits) }
  }

  @Test("A file has a limit, which no number avoids", arguments: [11, Int.max, -1, Int.min])
  func fileSize(size: Int) {
    #expect(throws: Never.self) { try manifest(files: [("a", 10)]).check(Self.limits) }
    #expect(throws: DropError.fileTooLarge("a", limit: 10)) {
      try manifest(files: [("a", size)]).check(Self.limits)
    }
  }

  @Test("All files together have a limit") func totalSize() {
    let files = [("a", 10), ("b", 10)]
    #expect(throws: Never.self) { try manifest(files: files).check(Self.limits) }
    #expect(throws: DropError.tooLarge(limit: 20)) {
      try manifest(files: files + [("c", 1)]).check(Self.limits)
    }
  }

  @Test("Each path comes once, and after its directory") func misplacedPaths() {
    let wrong: [(directories: [String], files: [String], path: String)] = [
      ([], ["a", "a"], "a"), (["a"], ["a"], "a"), (["a", "a"], [], "a"), ([], ["a/b"], "a/b"),
      ([], ["a", "a/b"], "a/b"), (["a/b", "a"], [], "a/b"),
    ]
    for (directories, files, path) in wrong {
      #expect(throws: DropError.misplacedPath(path)) {
        try manifest(directories, files: files.map { ($0, 1) }).check(Self.limits)
      }
    }
    // Two names to the file system, though equal strings.
    #expect(throws: Never.self) {
      try manifest(files: [("\u{E4}", 1), ("a\u{308}", 1)]).check(Self.limits)
    }
  }
}
