import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P3, P4: A directory that is full, read-only, failing or gone while documents are open")
struct UnfitDirectoryTests {
  let directory = Directory()

  private func manual() -> DocumentConfiguration {
    var configuration = DocumentConfiguration()
    configuration.clock = ManualClock()
    return configuration
  }

  @Test(
    "Every change is an error, the open document keeps its edits, and saves them afterwards",
    arguments: [SimulatedDisk.Failure.noSpace, .ioError])
  func unwritable(failure: SimulatedDisk.Failure) throws {
    let store = try directory.open(manual())
    let live = try store.add(Card(id: "1", title: "before"))
    try store.save(Card(id: "2"))
    let before = directory.disk.files
    let operations: [FileError.Operation] = [
      .write, .rename, .createDirectory, .link, .remove, .synchronize,
    ]
    for operation in operations { directory.disk.failAlways(operation, with: failure) }
    live.edit { $0.title = "after" }
    for attempt in [
      { () throws in try live.save() },
      { try store.save(Card(id: "2", title: "x")) },
      { try store.create(Card(id: "3")) },
      { _ = try store.addAsset(image(1)) },
      { _ = try store.remove("2") },
    ] {
      let error = #expect(throws: DocumentError.self) { try attempt() }
      #expect(error?.code == .notWritten)
      #expect(error.map { "\($0)".contains("errno \(failure.code?.rawValue ?? 0)") } == true)
    }
    #expect(live.value.title == "after" && live.hasUnsavedChanges)
    #expect(try store.load("1").title == "before")
    directory.disk.stopFailing()
    let after = directory.disk.files
    for (path, bytes) in before { #expect(after[path] == bytes) }
    try store.saveAll()
    #expect(try directory.open().load("1").title == "after")
  }

  #if os(Linux)
  @Test("A disk that becomes read-only, and writable again") func readOnly() throws {
    try withTemporaryDirectory { root in
      let cards = CardDirectory(root)
      let store = try cards.open(configuration: manual())
      let live = try store.add(WrittenCard(id: "card"))
      // The same directory in its own place.
      let bind = UInt(MS_BIND)
      guard mount(root.string, root.string, nil, bind, nil) == 0 else {
        print("skipped: no disk can be mounted here (\(Errno(rawValue: errno)))")
        return
      }
      defer { umount2(root.string, Int32(MNT_DETACH)) }
      let readOnly = UInt(MS_REMOUNT) | UInt(MS_RDONLY) | bind
      #expect(mount("none", root.string, nil, readOnly, nil) == 0)
      live.edit { $0.text = "after" }
      for attempt in [
        { () throws in try live.save() }, { _ = try store.remove("card") },
        { _ = try store.addAsset(writtenImage(1)) },
      ] {
        let error = #expect(throws: DocumentError.self) { try attempt() }
        #expect(error.map { "\($0)".contains("Read-only file system") } == true)
      }
      #expect(try store.load("card").text == "")
      #expect(mount("none", root.string, nil, UInt(MS_REMOUNT) | bind, nil) == 0)
      try live.save()
      #expect(try cards.open().load("card").text == "after")
    }
  }
  #endif

  @Test("A directory that is renamed away is an error, not empty, until it is back") func gone()
    throws
  {
    try withTemporaryDirectory { root in
      let cards = CardDirectory(root)
      let store = try cards.open(configuration: manual())
      let live = try store.add(WrittenCard(id: "card"))
      let files = LocalFileSystem()
      let away = root.appending("Away")
      try files.rename(cards.path, to: away)
      live.edit { $0.text = "after" }
      for attempt in [
        { () throws in try live.save() }, { _ = try store.load("card") }, { _ = try store.ids() },
        { try store.save(WrittenCard(id: "another")) }, { _ = try store.remove("card") },
      ] {
        #expect(throws: DocumentError.self) { try attempt() }
      }
      #expect(try files.information(at: cards.path) == nil)
      #expect(live.value.text == "after" && !live.isRemoved)
      try files.rename(away, to: cards.path)
      try live.save()
      #expect(try cards.open().load("card").text == "after")
      #expect(live.conflict == nil)
    }
  }

  @Test("A file of two gigabytes in place of an asset is an error") func hugeAsset() throws {
    try withTemporaryDirectory(isInMemory: true) { root in
      let cards = CardDirectory(root)
      let store = try cards.open()
      let asset = try store.addAsset(writtenImage(1))
      // Without bytes on the disk.
      #expect(truncate(store.path(of: asset).string, 2 << 30) == 0)
      let error = #expect(throws: DocumentError.self) { try store.asset(asset) }
      #expect(error?.code == .invalidAsset)
      #expect(error?.file == store.path(of: asset))
      var card = WrittenCard(id: "card")
      card.images = [asset.name]
      try store.save(card)
      #expect(try store.load("card") == card)
    }
  }

  @Test("An asset that was truncated is what its file contains, and one of another type, too")
  func damagedAsset() throws {
    let store = try directory.open()
    let asset = try store.addAsset(image(1))
    for bytes in [[], [0x89, 0x50], Array("<svg/>".utf8)] {
      try directory.disk.write(bytes, to: Directory.path.appending(asset.name))
      #expect(try store.asset(asset) == bytes)
      try store.save(Card(id: "1", elements: [Card.Element(id: 1, text: "", image: asset)]))
      #expect(try store.collectOrphans(olderThan: .zero).isEmpty)
    }
  }

  @Test("Thousands of documents in the trash, and of one id, can be removed, listed and restored")
  func fullTrash() throws {
    try withTemporaryDirectory(isInMemory: true) { root in
      let cards = CardDirectory(root)
      let store = try cards.open()
      let count =
        TestLength.isAtLeast(.long) ? 100_000 : TestLength.isAtLeast(.standard) ? 5000 : 500
      let ids = (0..<count).map { "\($0)" }
      for batch in stride(from: 0, to: count, by: 500) {
        try store.save(ids[batch..<min(count, batch + 500)].map { WrittenCard(id: $0) })
      }
      for id in ids { try store.remove(id) }
      var same: [RemovedDocument<String>] = []
      for number in 0..<count / 10 {
        var card = WrittenCard(id: "same")
        card.number = number
        try store.save(card)
        same.append(try store.remove("same"))
      }
      #expect(Set(same).count == count / 10)
      #expect(try store.removed().count == count + count / 10)
      try store.restore(same[count / 20])
      #expect(try store.load("same").number == count / 20)
      #expect(try store.emptyTrash(olderThan: .zero).count == count + count / 10 - 1)
      #expect(try store.removed().isEmpty)
      #expect(try store.ids() == ["same"])
    }
  }
}
