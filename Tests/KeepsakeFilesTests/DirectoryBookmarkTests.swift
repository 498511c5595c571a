import Foundation
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Directory bookmarks") struct DirectoryBookmarkTests {
  @Test("A bookmark resolves to the unmoved directory, also in a later run") func unmoved() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      let later = try DirectoryBookmark(data: bookmark.data)
      #expect(later == bookmark)
      let found = try later.resolve(searching: [])
      #expect(found.path == directory)
      #expect(!found.isStale)
      let names = try found.withAccess { try contents(of: $0.path) }
      #expect(names == ["inside"])
    }
  }

  @Test("A bookmark finds a directory that was renamed or moved, alone or with its parent")
  func moved() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      let relativePaths = ["a/renamed", "b/c/moved", "parent/b/chosen"]
      var from = directory
      for relativePath in relativePaths {
        let target = root.appending(relativePath)
        try makeDirectory(target.removingLastComponent())
        try move(from, to: target)
        let found = try bookmark.resolve(searching: [root])
        #expect(found.path == target)
        #expect(found.isStale)
        #expect(
          try DirectoryBookmark(directory: found.path).resolve(searching: []).isStale == false)
        from = target
      }
    }
  }

  @Test("A directory renamed in its parent is found without a search path")
  func renamedSibling() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      let target = directory.removingLastComponent().appending("renamed")
      try move(directory, to: target)
      #expect(try bookmark.resolve(searching: []).path == target)
    }
  }

  @Test("A copy at the old path is not mistaken for the directory") func copied() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      let target = root.appending("elsewhere")
      try move(directory, to: target)
      try copy(target, to: directory)
      let found = try bookmark.resolve(searching: [root])
      #expect(found.path == target)
      #expect(found.isStale)
    }
  }

  @Test("If the directory is missing, the error lists every copy of it") func ambiguous() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      guard bookmark.rawValue.contains("\nmarker ") else { return }
      let copies = ["one", "two"].map { root.appending($0) }
      for target in copies { try copy(directory, to: target) }
      try remove(directory)
      let error = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(error.reason == .ambiguous(copies))
      #expect("\(error)".contains("one") && "\(error)".contains("two"))
      try remove(copies[0])
      let found = try bookmark.resolve(searching: [root])
      #expect(found.path == copies[1])
      #expect(found.isStale)
    }
  }

  @Test("A new directory of the same name is refused, with any inode number")
  func replaced() throws {
    try withDirectories { root, directory in
      for _ in 0..<50 {
        let bookmark = try DirectoryBookmark(directory: directory)
        try remove(directory)
        try makeDirectory(directory)
        let error = try #require(throws: BookmarkError.self) {
          try bookmark.resolve(searching: [root])
        }
        #expect(error.reason == .replaced)
      }
    }
  }

  @Test("A reused inode number alone does not identify a directory")
  func reusedInodeNumber() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory, marking: false)
      #expect(try bookmark.resolve(searching: [root]).path == directory)
      // What a bookmark of an earlier directory with this number contains.
      let lines = bookmark.rawValue.split(separator: "\n").map(String.init)
      let known = lines.filter { $0.hasPrefix("born ") || $0.hasPrefix("handle ") }
      #expect(!known.isEmpty)
      let earlier =
        known.map { line in lines.map { $0 == line ? Self.earlier(line) : $0 } }
        + [lines.filter { !known.contains($0) }]
      for lines in earlier {
        let other = try #require(DirectoryBookmark(rawValue: lines.joined(separator: "\n")))
        let error = try #require(throws: BookmarkError.self, "\(lines)") {
          try other.resolve(searching: [root])
        }
        #expect(error.reason == .replaced)
      }
    }
  }

  /// A creation time just before, or the handle of another directory.
  private static func earlier(_ line: String) -> String {
    guard line.hasPrefix("born "), let time = Int64(line.dropFirst(5)) else {
      return line.dropLast() + (line.hasSuffix("0") ? "1" : "0")
    }
    return "born \(time - 1)"
  }

  @Test("Resolving reports a directory that no longer exists") func missing() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      try remove(directory)
      let error = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(error.reason == .missing)
      #expect("\(error)".contains(directory.string))
      try Data().write(to: URL(fileURLWithPath: directory.string))
      #expect(throws: BookmarkError.self) { try bookmark.resolve(searching: [root]) }
      let file = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(file.reason == .notADirectory)
    }
  }

  @Test("A symbolic link at the directory's path is not followed") func symbolicLink() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      let other = root.appending("other")
      try makeDirectory(other)
      try remove(directory)
      try FileManager.default.createSymbolicLink(
        atPath: directory.string, withDestinationPath: other.string)
      let error = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(error.reason == .symbolicLink(to: other))
    }
  }

  @Test("A bookmark made through a link refers to the link's target")
  func madeThroughLink() throws {
    try withDirectories { root, directory in
      let link = root.appending("link")
      try FileManager.default.createSymbolicLink(
        atPath: link.string, withDestinationPath: directory.string)
      let bookmark = try DirectoryBookmark(directory: link)
      #expect(bookmark.path == directory)
      try FileManager.default.removeItem(atPath: link.string)
      #expect(try bookmark.resolve(searching: []).path == directory)
    }
  }

  @Test(
    "The marker identifies a directory that was moved to another disk",
    .enabled(if: otherDisk != nil, "there is another disk"))
  func anotherDisk() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      let other = otherDisk!.appending("keepsake-\(UInt64.random(in: .min ... .max))")
      defer { try? FileManager.default.removeItem(atPath: other.string) }
      try makeDirectory(other)
      let target = other.appending("chosen")
      try copy(directory, to: target)
      try remove(directory)
      guard try storesMarker(of: target) else {
        let error = try #require(throws: BookmarkError.self) {
          try bookmark.resolve(searching: [other])
        }
        #expect(error.reason == .missing)
        return
      }
      let found = try bookmark.resolve(searching: [other])
      #expect(found.path == target)
      #expect(found.isStale)
    }
  }

  @Test("Without a marker, the directory's identity alone is used") func unmarked() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory, marking: false)
      #expect(!bookmark.rawValue.contains("\nmarker "))
      let target = root.appending("moved")
      try move(directory, to: target)
      #expect(try bookmark.resolve(searching: [root]).path == target)
    }
  }

  @Test("A search stops after the given number of directories") func searchLimit() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      for number in 0..<40 { try makeDirectory(root.appending("aaa/\(number)")) }
      try makeDirectory(root.appending("zzz"))
      try move(directory, to: root.appending("zzz/moved"))
      #expect(throws: BookmarkError.self) { try bookmark.resolve(searching: [root], limit: 20) }
      #expect(try bookmark.resolve(searching: [root]).path == root.appending("zzz/moved"))
    }
  }

  // MARK: Access

  @Test("Access follows a moved directory, which then resolves without a search")
  func accessFollowsMove() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      let access = try bookmark.resolve(searching: []).startAccessing()
      let target = root.appending("far/away")
      try makeDirectory(target.removingLastComponent())
      try move(directory, to: target)
      #expect(access.path == target)
      // No search is needed: the process has the directory open.
      #expect(try bookmark.resolve(searching: [], limit: 0).path == target)
      access.stop()
      access.stop()
      #expect(throws: BookmarkError.self) { try bookmark.resolve(searching: [], limit: 0) }
    }
  }

  @Test("B11, B18: a chosen directory is listed during access, without hidden files")
  func listing() throws {
    try withDirectories { root, directory in
      try Data().write(to: URL(fileURLWithPath: directory.appending(".hidden").string))
      let found = try DirectoryBookmark(directory: directory).resolve(searching: [])
      let access = try found.startAccessing()
      let workingDir = URL(fileURLWithPath: access.path.string)
      let paths = try FileManager.default.contentsOfDirectory(
        at: workingDir, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
      ).map { $0.relativePath.replacingOccurrences(of: workingDir.path, with: "") }
      access.stop()
      #expect(paths == ["/inside"])
    }
  }

  @Test("Access is refused if another directory is at the path by then")
  func replacedBeforeAccess() throws {
    try withDirectories { root, directory in
      let found = try DirectoryBookmark(directory: directory).resolve(searching: [])
      try remove(directory)
      try makeDirectory(directory)
      let error = try #require(throws: BookmarkError.self) { try found.startAccessing() }
      #expect(error.reason == .replaced)
    }
  }

  @Test(
    "A user without permission to open the directory cannot resolve the bookmark",
    .enabled(if: getuid() == 0, "only root can become another user"))
  func ordinaryUser() throws {
    try withDirectories { root, directory in
      for path in [root, directory.removingLastComponent(), directory] { chmod(path.string, 0o755) }
      let bookmark = try DirectoryBookmark(directory: directory)
      func resolve() throws -> String? {
        let worker = try Worker([
          "--user", "65534", "resolve-bookmark", bookmark.data.base64EncodedString(), root.string,
        ])
        return try worker.readLine()
      }
      #expect(try resolve() == directory.string)
      // A search only needs permission to list directories.
      try move(directory, to: root.appending("moved"))
      #expect(try resolve() == root.appending("moved").string)
      try move(root.appending("moved"), to: directory)
      chmod(directory.string, 0o700)
      #expect(try resolve() == "notPermitted")
      try remove(directory)
      #expect(try resolve() == "missing")
      try makeDirectory(directory)
      chmod(directory.string, 0o755)
      #expect(try resolve() == "replaced")
    }
  }

  @Test(
    "A directory that its owner may not open is refused until its mode allows it",
    .enabled(if: getuid() != 0, "nothing is closed to root"))
  func closedToOwner() throws {
    try withDirectories { root, directory in
      let bookmark = try DirectoryBookmark(directory: directory)
      chmod(directory.string, 0)
      defer { chmod(directory.string, 0o700) }
      let error = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(error.reason == .notPermitted)
      chmod(directory.string, 0o700)
      #expect(try bookmark.resolve(searching: []).path == directory)
    }
  }

  // MARK: As text

  @Test("A bookmark is plain text, and other text is refused") func textForm() throws {
    try withDirectories { root, directory in
      let odd = root.appending("100 %\nof it")
      try makeDirectory(odd)
      let bookmark = try DirectoryBookmark(directory: odd)
      #expect(bookmark.rawValue.hasPrefix("directory bookmark 1\npath "))
      #expect(DirectoryBookmark(rawValue: bookmark.rawValue) == bookmark)
      #expect(try DirectoryBookmark(data: bookmark.data).resolve(searching: []).path == odd)
      let json = try JSONEncoder().encode([bookmark])
      #expect(try JSONDecoder().decode([DirectoryBookmark].self, from: json) == [bookmark])
    }
    for text in ["", "directory bookmark 2\npath /\nnumber 1", "directory bookmark 1\nnumber 1"] {
      #expect(DirectoryBookmark(rawValue: text) == nil)
      #expect(throws: BookmarkError.self) { try DirectoryBookmark(data: Data(text.utf8)) }
    }
  }

  @Test("A bookmark cannot be made of a path that is not a directory") func notADirectory() throws {
    try withDirectories { root, directory in
      let missing = try #require(throws: BookmarkError.self) {
        try DirectoryBookmark(directory: root.appending("nothing"))
      }
      #expect(missing.reason == .missing)
      let file = root.appending("file")
      try Data().write(to: URL(fileURLWithPath: file.string))
      let error = try #require(throws: BookmarkError.self) {
        try DirectoryBookmark(directory: file)
      }
      #expect(error.reason == .notADirectory)
    }
  }
}

// MARK: Test directories

/// Runs a body with a directory that contains a file; its root is removed afterwards.
private func withDirectories(_ body: (_ root: FilePath, _ directory: FilePath) throws -> Void)
  throws
{
  try withTemporaryDirectory { root in
    let real = FilePath(URL(fileURLWithPath: root.string).resolvingSymlinksInPath().path)
    let directory = real.appending("work/chosen")
    try makeDirectory(directory)
    try Data().write(to: URL(fileURLWithPath: directory.appending("inside").string))
    try body(real, directory)
  }
}

/// A directory on another disk than the temporary directory, if there is one.
private let otherDisk: FilePath? = {
  func device(_ path: String) -> dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }
  let path = "/dev/shm"
  guard let other = device(path), let own = device(NSTemporaryDirectory()), other != own,
    FileManager.default.isWritableFile(atPath: path)
  else { return nil }
  return FilePath(path)
}()

private func makeDirectory(_ path: FilePath) throws {
  try FileManager.default.createDirectory(
    atPath: path.string, withIntermediateDirectories: true)
}

private func move(_ path: FilePath, to target: FilePath) throws {
  try FileManager.default.moveItem(atPath: path.string, toPath: target.string)
}

/// Copies a directory with its attributes, as a backup does.
private func copy(_ path: FilePath, to target: FilePath) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/cp")
  process.arguments = ["-a", path.string, target.string]
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
}

private func remove(_ path: FilePath) throws {
  try FileManager.default.removeItem(atPath: path.string)
}

private func contents(of directory: FilePath) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: directory.string)
}

/// Whether the file system stores the marker of a directory.
private func storesMarker(of directory: FilePath) throws -> Bool {
  let other = try DirectoryBookmark(directory: directory, marking: false)
  let marked = try DirectoryBookmark(directory: directory)
  return other.rawValue != marked.rawValue
}
