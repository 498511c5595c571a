import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

/// The directory of a test with a symbolic link in place of one of the store's directories, and what the
/// link leads to.
private struct LinkedDirectory {
  let cards: CardDirectory
  let problems = ReportedProblems<DocumentError>()
  let outside: FilePath
  private let files = LocalFileSystem()

  init(_ root: FilePath) throws {
    cards = CardDirectory(root)
    outside = root.appending("Outside")
    try files.createDirectories(cards.path)
    try files.createDirectories(outside)
    // Names as the store itself gives them, so that it would take each for its own.
    for number in 0..<12 {
      try add("2001-01-01T00.00.\(number + 10).000Z-0123456789ABCDEF.rwcard")
      try add("E621E1F8-C36C-495A-93FC-0C247A3E6E\(number + 10).png")
      try add("\(number).rwcard-1")
    }
    try add("card.rwcard")
  }

  private func add(_ name: String) throws {
    try files.replaceFile(at: outside.appending(name), with: Array(name.utf8))
    try makeOld(outside.appending(name))
  }

  func link(_ name: String) throws {
    let path = cards.path.appending(name)
    try files.createDirectories(path.removingLastComponent())
    #expect(symlink(outside.string, path.string) == 0)
  }

  func open() throws -> DocumentStore<WrittenCard> { try cards.open(problems) }

  /// Checks that nothing was added outside, nor changed, nor removed.
  func checkOutside() throws {
    let names = try files.contents(ofDirectory: outside)
    #expect(names.count == 37)
    for name in names {
      #expect(try files.readFile(at: outside.appending(name)) == Array(name.utf8))
    }
  }
}

@Suite("P10: A symbolic link in place of a store's directory is not followed")
struct LinkedDirectoryTests {
  @Test("Documents are saved without past versions", arguments: ["Versions", "Versions/card"])
  func versions(link: String) throws {
    try withTemporaryDirectory { root in
      let directory = try LinkedDirectory(root)
      try directory.link(link)
      let store = try directory.open()
      var card = WrittenCard(id: "card")
      for number in 0..<12 {
        card.text = "text \(number)"
        try store.save(card)
      }
      #expect(try store.load("card").text == "text 11")
      let error = #expect(throws: DocumentError.self) { try store.versions(of: "card") }
      #expect(error?.code == .unavailable)
      #expect(error.map { "\($0)".contains("symbolic link") } == true)
      #expect(directory.problems.all.contains { "\($0)".contains("symbolic link") })
      #expect(throws: DocumentError.self) { try store.recover("gone") }
      try directory.checkOutside()
    }
  }

  @Test("Documents are not removed") func trash() throws {
    try withTemporaryDirectory { root in
      let directory = try LinkedDirectory(root)
      try directory.link("Trash")
      let store = try directory.open()
      try store.save(WrittenCard(id: "card"))
      // What could be collected.
      _ = try store.addAsset(writtenImage(1))
      for attempt in [
        { () throws in _ = try store.remove("card") },
        { _ = try store.removed() },
        { _ = try store.emptyTrash(olderThan: .zero) },
        { _ = try store.collectOrphans(olderThan: .zero) },
      ] {
        let error = #expect(throws: DocumentError.self) { try attempt() }
        #expect(error.map { "\($0)".contains("symbolic link") } == true)
      }
      _ = try store.load("card")
      try directory.checkOutside()
    }
  }

  @Test("What a link in the trash leads to is not removed, nor brought back") func removed() throws
  {
    try withTemporaryDirectory { root in
      let directory = try LinkedDirectory(root)
      let store = try directory.open()
      try store.save(WrittenCard(id: "card"))
      let removed = try store.remove("card")
      let files = LocalFileSystem()
      try files.rename(removed.directory, to: root.appending("Elsewhere"))
      try directory.link("Trash/card")
      #expect(try store.removed().isEmpty)
      #expect(throws: DocumentError.self) { try store.restore(removed) }
      #expect(try store.emptyTrash(olderThan: .zero).isEmpty)
      #expect(try store.collectOrphans(olderThan: .zero).isEmpty)
      try store.save(WrittenCard(id: "card"))
      #expect(try store.remove("card").directory != removed.directory)
      try directory.checkOutside()
    }
  }

  @Test("Damaged documents stay where they are") func quarantine() throws {
    try withTemporaryDirectory { root in
      let directory = try LinkedDirectory(root)
      try directory.link("Quarantine")
      let store = try directory.open()
      try store.save(WrittenCard(id: "removed"))
      try store.remove("removed")
      _ = try store.addAsset(writtenImage(1))
      let file = directory.cards.file("card")
      try LocalFileSystem().replaceFile(at: file, with: Array("{".utf8))
      try makeOld(file)
      let error = #expect(throws: DocumentError.self) { try store.load("card") }
      #expect(error?.code == .unreadable)
      #expect(error?.kept?.contains("symbolic link") == true)
      #expect(try directory.cards.text("card") == "{")
      #expect(throws: DocumentError.self) { try store.quarantined() }
      #expect(throws: DocumentError.self) { try store.collectOrphans(olderThan: .zero) }
      #expect(throws: DocumentError.self) { try store.emptyTrash(olderThan: .zero) }
      try directory.checkOutside()
    }
  }
}
