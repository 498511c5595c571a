import Foundation
import Keepsake
import SystemPackage
import Testing

@testable import Stage
@testable import WorkingDirectory

@Suite("The directories below a root")
@MainActor
struct DirectoryTreeTests {
  private let outside: FilePath
  private let root: FilePath
  private let tree: DirectoryTree

  init() throws {
    let directory = try Stagehand().container.temporary
    try LocalFileSystem().createDirectories(directory.appending("home"))
    outside = FilePath(URL(filePath: directory.string).resolvingSymlinksInPath().path)
    root = outside.appending("home")
    tree = try DirectoryTree(root: root)
  }

  private func make(_ path: String) throws {
    try LocalFileSystem().createDirectories(root.appending(path))
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: root.appending(path).string, withDestinationPath: target)
  }

  @Test("are listed in alphabetical order, without hidden ones, and files are counted")
  func listing() throws {
    for name in ["b", "A", "c", ".hidden", ".\u{301}hidden", "b/inner", "größe"] { try make(name) }
    for name in ["1.txt", "2.txt", ".3.txt"] {
      try LocalFileSystem().replaceFile(at: root.appending(name), with: [])
    }
    let listing = try tree.list(root)
    #expect(listing == .init(path: root, names: ["A", "b", "c", "größe"], fileCount: 2))
    #expect(try tree.list("b").names == ["inner"])
    #expect(try tree.list(root.appending("b/inner")).names == [])
  }

  @Test("have no way out for any path") func escapes() throws {
    try make("a")
    // Its path begins with that of the root.
    try LocalFileSystem().createDirectories(outside.appending("home2"))
    try link("a/up", to: "../..")
    for path: FilePath in [
      "..", "../home2", "a/../..", "a/up", "/", "/etc", "../../..", outside,
      outside.appending("home2"), root.appending(".."),
    ] {
      #expect(throws: DirectoryTreeError.outside(root)) { try tree.directory(at: path) }
      #expect(throws: DirectoryTreeError.outside(root)) { try tree.list(path) }
    }
    #expect(try tree.directory(at: "a/up/home/a") == root.appending("a"))
    #expect(try tree.directory(at: "") == root)
  }

  @Test("contain the links that stay inside, and only count the others") func links() throws {
    try make("a")
    try LocalFileSystem().replaceFile(at: root.appending("file"), with: [])
    for (name, target) in [
      ("inside", "a"), ("file link", "file"), ("outside", ".."), ("etc", "/etc"),
      ("nowhere", "missing"), ("loop", "loop"),
    ] {
      try link(name, to: target)
    }
    let listing = try tree.list(root)
    #expect(listing.names == ["a", "inside"])
    #expect(listing.fileCount == 2)
    #expect(listing.linkCount == 4)
    #expect(try tree.list("inside").path == root.appending("a"))
    // The root itself may be one.
    #expect(try DirectoryTree(root: root.appending("inside")).root == root.appending("a"))
  }

  @Test("say why one of them cannot be opened") func failures() throws {
    try LocalFileSystem().replaceFile(at: root.appending("file"), with: [])
    let file = try #require(throws: DirectoryTreeError.self) { try tree.list("file") }
    #expect("\(file)" == "\(root)/file is not a folder.")
    let missing = try #require(throws: DirectoryTreeError.self) { try tree.list("missing") }
    #expect("\(missing)" == "\(root)/missing is no longer there.")
    let closed = DirectoryTreeError.failed("closed", .permissionDenied)
    #expect("\(closed)" == "You do not have permission to open closed.")
  }

  @Test(
    "say so if this user may not open one",
    .enabled(if: geteuid() != 0, "nothing is closed to root"))
  func closed() throws {
    try make("closed")
    let closed = root.appending("closed")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed.string)
    #expect(throws: DirectoryTreeError.failed(closed, .permissionDenied)) {
      try tree.list("closed")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed.string)
  }
}
