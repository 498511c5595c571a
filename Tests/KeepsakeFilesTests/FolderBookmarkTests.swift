import Foundation
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A bookmark of a folder") struct FolderBookmarkTests {
  @Test("leads to the folder where it was, in a later run too") func unmoved() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      let later = try FolderBookmark(data: bookmark.data)
      #expect(later == bookmark)
      let found = try later.resolve(searching: [])
      #expect(found.path == folder)
      #expect(!found.isStale)
      let names = try found.withAccess { try contents(of: $0.path) }
      #expect(names == ["inside"])
    }
  }

  @Test("leads to a folder that was renamed, moved, or whose parent was") func moved() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      let places = ["a/renamed", "b/c/moved", "parent/b/chosen"]
      var from = folder
      for place in places {
        let target = root.appending(place)
        try makeFolder(target.removingLastComponent())
        try move(from, to: target)
        let found = try bookmark.resolve(searching: [root])
        #expect(found.path == target)
        #expect(found.isStale)
        #expect(try FolderBookmark(folder: found.path).resolve(searching: []).isStale == false)
        from = target
      }
    }
  }

  @Test("finds a renamed sibling without being told where to search") func sibling() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      let target = folder.removingLastComponent().appending("renamed")
      try move(folder, to: target)
      #expect(try bookmark.resolve(searching: []).path == target)
    }
  }

  @Test("tells the folder from a copy in its place") func copied() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      let target = root.appending("elsewhere")
      try move(folder, to: target)
      try copy(target, to: folder)
      let found = try bookmark.resolve(searching: [root])
      #expect(found.path == target)
      #expect(found.isStale)
    }
  }

  @Test("names all copies where the folder itself is gone") func ambiguous() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      guard bookmark.rawValue.contains("\nmarker ") else { return }
      let copies = ["one", "two"].map { root.appending($0) }
      for target in copies { try copy(folder, to: target) }
      try remove(folder)
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

  @Test("refuses a new folder of the same name, whatever number it is given") func replaced() throws
  {
    try withFolders { root, folder in
      for _ in 0..<50 {
        let bookmark = try FolderBookmark(folder: folder)
        try remove(folder)
        try makeFolder(folder)
        let error = try #require(throws: BookmarkError.self) {
          try bookmark.resolve(searching: [root])
        }
        #expect(error.reason == .replaced)
      }
    }
  }

  @Test("takes no folder for its own by the number alone, which is given again")
  func reusedNumber() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder, marking: false)
      #expect(try bookmark.resolve(searching: [root]).path == folder)
      // What is kept of a folder that had the number before this one.
      let lines = bookmark.rawValue.split(separator: "\n").map(String.init)
      let known = lines.filter { $0.hasPrefix("born ") || $0.hasPrefix("handle ") }
      #expect(!known.isEmpty)
      let earlier =
        known.map { line in lines.map { $0 == line ? Self.earlier(line) : $0 } }
        + [lines.filter { !known.contains($0) }]
      for lines in earlier {
        let other = try #require(FolderBookmark(rawValue: lines.joined(separator: "\n")))
        let error = try #require(throws: BookmarkError.self, "\(lines)") {
          try other.resolve(searching: [root])
        }
        #expect(error.reason == .replaced)
      }
    }
  }

  /// A time of birth a moment before, or the handle of another.
  private static func earlier(_ line: String) -> String {
    guard line.hasPrefix("born "), let time = Int64(line.dropFirst(5)) else {
      return line.dropLast() + (line.hasSuffix("0") ? "1" : "0")
    }
    return "born \(time - 1)"
  }

  @Test("says that a folder is gone") func missing() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      try remove(folder)
      let error = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(error.reason == .missing)
      #expect("\(error)".contains(folder.string))
      try Data().write(to: URL(fileURLWithPath: folder.string))
      #expect(throws: BookmarkError.self) { try bookmark.resolve(searching: [root]) }
      let file = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(file.reason == .notAFolder)
    }
  }

  @Test("does not follow a link that was put in the folder's place") func link() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      let other = root.appending("other")
      try makeFolder(other)
      try remove(folder)
      try FileManager.default.createSymbolicLink(
        atPath: folder.string, withDestinationPath: other.string)
      let error = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(error.reason == .symbolicLink(to: other))
    }
  }

  @Test("made through a link remembers the folder itself") func madeThroughLink() throws {
    try withFolders { root, folder in
      let link = root.appending("link")
      try FileManager.default.createSymbolicLink(
        atPath: link.string, withDestinationPath: folder.string)
      let bookmark = try FolderBookmark(folder: link)
      #expect(bookmark.path == folder)
      try FileManager.default.removeItem(atPath: link.string)
      #expect(try bookmark.resolve(searching: []).path == folder)
    }
  }

  @Test(
    "finds a folder again that was moved to another disk, by its marker",
    .enabled(if: otherDisk != nil, "there is another disk"))
  func anotherDisk() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      let other = otherDisk!.appending("keepsake-\(UInt64.random(in: .min ... .max))")
      defer { try? FileManager.default.removeItem(atPath: other.string) }
      try makeFolder(other)
      let target = other.appending("chosen")
      try copy(folder, to: target)
      try remove(folder)
      guard try attributes(of: target) else {
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

  @Test("without a marker goes by the folder's identity alone") func unmarked() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder, marking: false)
      #expect(!bookmark.rawValue.contains("\nmarker "))
      let target = root.appending("moved")
      try move(folder, to: target)
      #expect(try bookmark.resolve(searching: [root]).path == target)
    }
  }

  @Test("gives up after the number of folders it was given") func limit() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      for number in 0..<40 { try makeFolder(root.appending("aaa/\(number)")) }
      try makeFolder(root.appending("zzz"))
      try move(folder, to: root.appending("zzz/moved"))
      #expect(throws: BookmarkError.self) { try bookmark.resolve(searching: [root], limit: 20) }
      #expect(try bookmark.resolve(searching: [root]).path == root.appending("zzz/moved"))
    }
  }

  // MARK: Access

  @Test("lets access follow the folder, and be found by what the process holds") func held() throws
  {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      let access = try bookmark.resolve(searching: []).startAccessing()
      let target = root.appending("far/away")
      try makeFolder(target.removingLastComponent())
      try move(folder, to: target)
      #expect(access.path == target)
      // Nothing is searched: the process knows.
      #expect(try bookmark.resolve(searching: [], limit: 0).path == target)
      access.stop()
      access.stop()
      #expect(throws: BookmarkError.self) { try bookmark.resolve(searching: [], limit: 0) }
    }
  }

  @Test("gives no access to a folder that took the place since") func swapped() throws {
    try withFolders { root, folder in
      let found = try FolderBookmark(folder: folder).resolve(searching: [])
      try remove(folder)
      try makeFolder(folder)
      let error = try #require(throws: BookmarkError.self) { try found.startAccessing() }
      #expect(error.reason == .replaced)
    }
  }

  @Test(
    "is refused to a user who may not open the folder, and is his where he may",
    .enabled(if: getuid() == 0, "only root can become another user"))
  func ordinaryUser() throws {
    try withFolders { root, folder in
      for path in [root, folder.removingLastComponent(), folder] { chmod(path.string, 0o755) }
      let bookmark = try FolderBookmark(folder: folder)
      func resolve() throws -> String? {
        let worker = try Worker([
          "--user", "65534", "resolve-bookmark", bookmark.data.base64EncodedString(), root.string,
        ])
        return try worker.readLine()
      }
      #expect(try resolve() == folder.string)
      // A search needs no more than the right to look.
      try move(folder, to: root.appending("moved"))
      #expect(try resolve() == root.appending("moved").string)
      try move(root.appending("moved"), to: folder)
      chmod(folder.string, 0o700)
      #expect(try resolve() == "notPermitted")
      try remove(folder)
      #expect(try resolve() == "missing")
      try makeFolder(folder)
      chmod(folder.string, 0o755)
      #expect(try resolve() == "replaced")
    }
  }

  @Test(
    "is refused where the folder is closed to its own user, and comes back when it is opened",
    .enabled(if: getuid() != 0, "nothing is closed to root"))
  func closed() throws {
    try withFolders { root, folder in
      let bookmark = try FolderBookmark(folder: folder)
      chmod(folder.string, 0)
      defer { chmod(folder.string, 0o700) }
      let error = try #require(throws: BookmarkError.self) {
        try bookmark.resolve(searching: [root])
      }
      #expect(error.reason == .notPermitted)
      chmod(folder.string, 0o700)
      #expect(try bookmark.resolve(searching: []).path == folder)
    }
  }

  // MARK: As text

  @Test("is plain text, and nothing else is taken for one") func text() throws {
    try withFolders { root, folder in
      let odd = root.appending("100 %\nof it")
      try makeFolder(odd)
      let bookmark = try FolderBookmark(folder: odd)
      #expect(bookmark.rawValue.hasPrefix("folder bookmark 1\npath "))
      #expect(FolderBookmark(rawValue: bookmark.rawValue) == bookmark)
      #expect(try FolderBookmark(data: bookmark.data).resolve(searching: []).path == odd)
      let json = try JSONEncoder().encode([bookmark])
      #expect(try JSONDecoder().decode([FolderBookmark].self, from: json) == [bookmark])
    }
    for text in ["", "folder bookmark 2\npath /\nnumber 1", "folder bookmark 1\nnumber 1"] {
      #expect(FolderBookmark(rawValue: text) == nil)
      #expect(throws: BookmarkError.self) { try FolderBookmark(data: Data(text.utf8)) }
    }
  }

  @Test("cannot be made of what is no folder") func noFolder() throws {
    try withFolders { root, folder in
      let missing = try #require(throws: BookmarkError.self) {
        try FolderBookmark(folder: root.appending("nothing"))
      }
      #expect(missing.reason == .missing)
      let file = root.appending("file")
      try Data().write(to: URL(fileURLWithPath: file.string))
      let error = try #require(throws: BookmarkError.self) { try FolderBookmark(folder: file) }
      #expect(error.reason == .notAFolder)
    }
  }
}

// MARK: Folders to try it on

/// A folder with a file in it, below another that is removed afterwards.
private func withFolders(_ body: (_ root: FilePath, _ folder: FilePath) throws -> Void) throws {
  try withTemporaryFolder { root in
    let real = FilePath(URL(fileURLWithPath: root.string).resolvingSymlinksInPath().path)
    let folder = real.appending("work/chosen")
    try makeFolder(folder)
    try Data().write(to: URL(fileURLWithPath: folder.appending("inside").string))
    try body(real, folder)
  }
}

/// A folder on another disk than the temporary folder, where there is one.
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

private func makeFolder(_ path: FilePath) throws {
  try FileManager.default.createDirectory(
    atPath: path.string, withIntermediateDirectories: true)
}

private func move(_ path: FilePath, to target: FilePath) throws {
  try FileManager.default.moveItem(atPath: path.string, toPath: target.string)
}

/// Copies a folder with its attributes, as a backup does.
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

private func contents(of folder: FilePath) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.string)
}

/// Whether a folder has a marker, which not every file system keeps.
private func attributes(of folder: FilePath) throws -> Bool {
  let other = try FolderBookmark(folder: folder, marking: false)
  let marked = try FolderBookmark(folder: folder)
  return other.rawValue != marked.rawValue
}
