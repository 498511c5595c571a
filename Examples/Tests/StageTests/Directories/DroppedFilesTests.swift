import Foundation
import Keepsake
import SystemPackage
import Testing

@testable import Stage
@testable import WorkingDirectory

@Suite("Dropped files are the app's once they are all there")
@MainActor
struct DroppedFilesTests {
  private let container: AppContainer
  private let drops: DroppedFiles
  private let target = DroppedFiles.Target(session: "window", element: "n1")
  private let other = DroppedFiles.Target(session: "other", element: "n1")
  private let notes = DropManifest(
    directories: ["Notes", "Notes/empty"],
    files: [
      DropManifest.File(path: "Notes/a.txt", size: 3), DropManifest.File(path: "b.txt", size: 0),
    ])

  init() throws {
    container = try Stagehand().container
    drops = DroppedFiles(in: container.droppedFiles)
  }

  private var names: [String] {
    ((try? LocalFileSystem().contents(ofDirectory: container.droppedFiles)) ?? []).sorted()
  }

  private func mode(_ path: FilePath) throws -> UInt16? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
    return (attributes[.posixPermissions] as? NSNumber)?.uint16Value
  }

  @Test("A drop has its name only when it is complete, and only this user may read it")
  func complete() async throws {
    let id = try await drops.begin(notes, for: target)
    #expect(names == ["." + id])
    try await drops.receive([1, 2, 3], first: 0, of: id, for: target)
    #expect(names == ["." + id])
    await #expect(throws: DropError.incomplete(missing: 1)) {
      try await drops.finish(id, for: target)
    }
    try await drops.receive([], first: 1, of: id, for: target)
    let (urls, _) = try await drops.finish(id, for: target)
    #expect(names == [id])
    #expect(urls.map(\.lastPathComponent) == ["Notes", "b.txt"])
    #expect(urls.map(\.hasDirectoryPath) == [true, false])
    let directory = container.droppedFiles.appending(id)
    #expect(
      try LocalFileSystem().readFile(at: directory.appending("Notes/a.txt")) == [1, 2, 3])
    for path in ["", "Notes", "Notes/empty"] {
      #expect(try mode(directory.pushing(FilePath(path))) == 0o700)
    }
    for path in ["Notes/a.txt", "b.txt"] {
      #expect(try mode(directory.appending(path)) == 0o600)
    }
    await #expect(throws: DropError.unknown) { try await drops.finish(id, for: target) }
  }

  @Test("A list that is refused leaves nothing behind") func refused() async throws {
    var manifest = notes
    manifest.files.append(DropManifest.File(path: "../c.txt", size: 1))
    await #expect(throws: DropError.unusablePath("../c.txt")) {
      try await drops.begin(manifest, for: target)
    }
    #expect(names == [])
  }

  @Test("A file comes once, with the length that was listed") func files() async throws {
    let id = try await drops.begin(notes, for: target)
    for bytes: [UInt8] in [[], [1, 2], [1, 2, 3, 4]] {
      await #expect(throws: DropError.changed("Notes/a.txt")) {
        try await drops.receive(bytes, first: 0, of: id, for: target)
      }
    }
    try await drops.receive([1, 2, 3], first: 0, of: id, for: target)
    for (first, count) in [
      (0, 1), (0, 2), (2, 1), (1, 2), (-1, 1), (1, 0), (1, -1), (.max, 1), (1, .max), (.min, .min),
    ] {
      await #expect(throws: DropError.unexpectedFile) {
        try await drops.receive([1, 2, 3], first: first, count: count, of: id, for: target)
      }
    }
  }

  @Test("Files that follow each other come together, each with its own bytes")
  func severalFiles() async throws {
    let sizes = [3, 0, 2, 1]
    let manifest = DropManifest(
      files: sizes.enumerated().map { DropManifest.File(path: "\($0)", size: $1) })
    let id = try await drops.begin(manifest, for: target)
    await #expect(throws: DropError.changed("1")) {
      try await drops.receive([4, 5, 6], first: 1, count: 2, of: id, for: target)
    }
    try await drops.receive([1, 2, 3, 4, 5], first: 0, count: 3, of: id, for: target)
    try await drops.receive([6], first: 3, of: id, for: target)
    let (urls, _) = try await drops.finish(id, for: target)
    #expect(
      try urls.map { try Data(contentsOf: $0) }
        == [Data([1, 2, 3]), Data(), Data([4, 5]), Data([6])])
  }

  @Test("Only the view that a drop is for can add to it, finish it or cancel it")
  func targets() async throws {
    let id = try await drops.begin(notes, for: target)
    for wrong in [other, DroppedFiles.Target(session: "window", element: "n2")] {
      await #expect(throws: DropError.unknown) {
        try await drops.receive([1, 2, 3], first: 0, of: id, for: wrong)
      }
      await #expect(throws: DropError.unknown) { try await drops.finish(id, for: wrong) }
      await drops.cancel(id, for: wrong)
    }
    for wrong in ["", "..", "../..", id + "0"] {
      await #expect(throws: DropError.unknown) {
        try await drops.receive([1, 2, 3], first: 0, of: wrong, for: target)
      }
    }
    #expect(names == ["." + id])
    await drops.cancel(id, for: target)
    #expect(names == [])
  }

  @Test("A window has one incomplete drop at a time") func oneAtATime() async throws {
    let first = try await drops.begin(notes, for: target)
    let others = try await drops.begin(notes, for: other)
    let second = try await drops.begin(notes, for: target)
    #expect(names == ["." + others, "." + second].sorted())
    // It comes late, and must not end the second one.
    await drops.cancel(first, for: target)
    #expect(names.count == 2)
    await drops.cancel(session: "window")
    #expect(names == ["." + others])
  }

  @Test("A symbolic link that has taken the place of a file is not followed")
  func links() async throws {
    let id = try await drops.begin(notes, for: target)
    let outside = container.droppedFiles.removingLastComponent().appending("outside")
    try FileManager.default.createSymbolicLink(
      atPath: container.droppedFiles.appending(".\(id)/b.txt").string,
      withDestinationPath: outside.string)
    await #expect(throws: DropError.self) {
      try await drops.receive([], first: 1, of: id, for: target)
    }
    #expect(try LocalFileSystem().information(at: outside) == nil)
  }

  @Test("What an earlier run did not receive completely is removed at the start")
  func leftovers() async throws {
    let complete = try await drops.begin(notes, for: target)
    try await drops.receive([1, 2, 3], first: 0, of: complete, for: target)
    try await drops.receive([], first: 1, of: complete, for: target)
    _ = try await drops.finish(complete, for: target)
    let incomplete = try await drops.begin(notes, for: target)
    try await drops.receive([1, 2, 3], first: 0, of: incomplete, for: target)
    #expect(names.count == 2)
    _ = DroppedFiles(in: container.droppedFiles)
    #expect(names == [complete])
  }

  @Test("The app removes what was dropped, and by that nothing else") func removal() async throws {
    let file = container.documents.appending("kept.txt")
    try LocalFileSystem().createDirectories(container.documents)
    try LocalFileSystem().replaceFile(at: file, with: [1])
    let id = try await drops.begin(notes, for: target)
    try await drops.receive([1, 2, 3], first: 0, of: id, for: target)
    try await drops.receive([], first: 1, of: id, for: target)
    let copy = FilePath(try await drops.finish(id, for: target).urls[0].path)
    for path in [
      file, container.droppedFiles, container.documents, "/", "kept.txt", "", FilePath(id),
      FilePath("/" + id),
    ] {
      #expect(!container.isDropped(path))
      try container.removeDropped(path)
    }
    try container.removeDropped(container.droppedFiles.appending("../../../Documents/kept.txt"))
    #expect(try LocalFileSystem().readFile(at: file) == [1])
    #expect(container.isDropped(copy) && container.isDropped(copy.appending("a.txt")))
    try container.removeDropped(copy)
    #expect(names == [])
    #expect(!container.isDropped(copy))
  }
}
