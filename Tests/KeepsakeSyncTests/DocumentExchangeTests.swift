import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("What documents and an engine exchange")
final class DocumentExchangeTests: ExchangeHarness {
  @Test("A document that cannot be read or noted holds up no other, and is sent later")
  func failures() throws {
    for id in ["x", "y"] { try store.create(Card(id: id)) }
    try disk.createDirectory("/documents/a.card")
    exchange.note(["a.card", "x.card", "y.card"])
    disk.failAlways(.write, with: .noSpace)
    #expect(throws: (any Error).self) { try exchange.nextBatch() }
    disk.stopFailing()
    let batch = try #require(try exchange.nextBatch())
    #expect(try !exchange.take(model.perform(batch.commit), for: batch))
    #expect(model.values.count == 2)
    #expect(throws: DocumentError.self) { try exchange.nextBatch() }
    #expect(exchange.waitingCount == 1)
    try disk.remove("/documents/a.card")
    #expect(try exchange.nextBatch() == nil && exchange.waitingCount == 0)
  }

  @Test(
    "Of a document that cannot be read here, what others change is taken once it can",
    arguments: [false, true])
  func behind(isRemoved: Bool) throws {
    for id in ["x", "y"] { try store.create(Card(id: id, title: "1")) }
    try sendAll()
    let file: FilePath = "/documents/x.card"
    let text = try #require(disk.files[file])
    try disk.remove(file)
    try disk.createDirectory(file)
    if isRemoved {
      let key = SyncKey.value(Array("x.card".utf8))
      _ = model.perform(SyncCommit(conditions: [:], writes: [key: nil]))
    } else {
      try put(Card(id: "x", title: "2"))
    }
    try receiveLast()
    put(try JSON.Encoder().encodeToBytes(Card(id: "y", title: "2")), as: "y.card")
    try receiveLast()
    #expect(try store.load("y").title == "2")
    let restarted = try Self.exchange(store)
    try restarted.scan()
    #expect(throws: DocumentError.self) { try restarted.nextBatch() }
    try disk.remove(file)
    try disk.replaceFile(at: file, with: text)
    #expect(throws: DocumentExchange.IsBehind.self) { try restarted.nextBatch() }
    try restarted.take(model.snapshot, askedFor: restarted.index.position)
    #expect(try titles == (isRemoved ? ["2"] : ["2", "2"]))
    #expect(try restarted.nextBatch() == nil && restarted.waitingCount == 0)
    #expect(!restarted.index["x.card"].isBehind)
  }

  private enum BaseKeeping: CaseIterable { case beforeChange, afterChange, never }

  @Test(
    "What a machine receives when it joins is merged with, whenever its base is kept",
    arguments: BaseKeeping.allCases)
  private func laterBases(kept: BaseKeeping) throws {
    let base: FilePath = "/documents/Sharing/card/x.card"
    try put(Card(id: "x", title: "1", color: "red"))
    let text = model.values[Array("x.card".utf8)]
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(disk.files[base] == nil)
    if kept == .beforeChange { #expect(!exchange.keepSomeBases()) }
    try store.edit("x") { $0.title = "2" }
    if kept == .afterChange { #expect(!exchange.keepSomeBases()) }
    #expect(disk.files[base] == (kept == .never ? nil : text))
    try put(Card(id: "x", title: "1", color: "blue"))
    try receiveLast()
    #expect(try store.ids() == ["x"])
    #expect(try store.load("x") == Card(id: "x", title: "2", color: "blue"))
  }

  @Test("One of many documents that is changed while they are replaced is merged")
  func changedMeanwhile() throws {
    let editing = EditingDisk(base: disk)
    let exchange = try Self.exchange(
      DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: editing))
    for id in ["x", "y", "z"] { try store.create(Card(id: id, title: "1")) }
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    #expect(try !exchange.take(model.perform(batch.commit), for: batch))
    for id in ["x", "y", "z"] {
      put(try JSON.Encoder().encodeToBytes(Card(id: id, title: "2")), as: "\(id).card")
    }
    let store = store
    editing.edit.withLock { $0 = { try? store.edit("y") { $0.color = "blue" } } }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    let found = try store.entries().map { try store.load($0.id) }
    #expect(found.map(\.title) == ["2", "2", "2"] && found.map(\.color) == ["", "blue", ""])
    try exchange.scan()
    #expect(try exchange.nextBatch()?.names == ["y.card"])
  }

  @Test(
    "What a slow process takes late does not replace what another one has received since",
    arguments: [false, true], [false, true])
  func takenLate(isRemoval: Bool, isRefreshed: Bool) throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let editing = EditingDisk(base: disk)
    let slow = try Self.exchange(
      DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: editing))
    let key = SyncKey.value(Array("x.card".utf8))
    if isRemoval {
      _ = model.perform(SyncCommit(conditions: [:], writes: [key: nil]))
    } else {
      try put(Card(id: "x", title: "2"))
    }
    try put(Card(id: "x", title: "3"))
    let (first, last) = (model.changes[model.changes.count - 2], try #require(model.changes.last))
    let exchange = exchange
    editing.edit.withLock { edit in
      edit = {
        #expect(throws: Never.self) {
          try exchange.take(first)
          try exchange.take(last)
          // As when the index's file is watched.
          if isRefreshed { try slow.index.refresh() }
        }
      }
    }
    try slow.take(first)
    #expect(try titles == ["3"] && store.removed().count == (isRemoval ? 1 : 0))
    try slow.take(last)
    try slow.scan()
    #expect(try slow.nextBatch() == nil)
  }

  @Test(
    "What a slow process takes late is taken back if the file was as before since",
    arguments: [false, true])
  func takenBack(isNew: Bool) throws {
    let key = SyncKey.value(Array("x.card".utf8))
    if !isNew {
      try store.create(Card(id: "x", title: "1"))
      try sendAll()
    }
    let text = disk.files["/documents/x.card"]
    let editing = EditingDisk(base: disk)
    let slow = try Self.exchange(
      DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: editing))
    try put(Card(id: "x", title: "2"))
    _ = model.perform(SyncCommit(conditions: [:], writes: [key: text]))
    let (first, last) = (model.changes[model.changes.count - 2], try #require(model.changes.last))
    let exchange = exchange
    editing.edit.withLock { edit in
      edit = {
        #expect(throws: Never.self) {
          try exchange.take(first)
          try exchange.take(last)
        }
      }
    }
    try slow.take(first)
    #expect(disk.files["/documents/x.card"] == text)
    try slow.take(last)
    for exchange in [slow, exchange] {
      try exchange.scan()
      #expect(try exchange.nextBatch() == nil)
    }
  }

  @Test(
    "A document that was damaged once, and given back or repaired, can be removed without the trash",
    arguments: [false, true])
  func removedAfterQuarantine(isRepaired: Bool) throws {
    let file: FilePath = "/documents/x.card"
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let text = try #require(disk.files[file])
    func damage() throws {
      try disk.replaceFile(at: file, with: Array("{".utf8))
      #expect(throws: DocumentError.self) { try store.load("x") }
      #expect(disk.files[file] == nil)
    }
    for _ in 0..<2 {
      try damage()
      if isRepaired { try disk.replaceFile(at: file, with: text) }
      // Its time is later than that of the base's copy.
      try sendAll()
      #expect(disk.files[file] == text && model.values.values.contains(text))
    }
    try disk.remove(file)
    try sendAll()
    #expect(model.values.isEmpty && disk.files[file] == nil)
  }

  @Test(
    "What another process has written, and not noted, is not taken back by who is behind",
    arguments: [false, true])
  func behindWriter(isRemoval: Bool) throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let key = SyncKey(document: "x.card")
    if isRemoval {
      _ = model.perform(SyncCommit(conditions: [:], writes: [key: nil]))
    } else {
      try put(Card(id: "x", title: "2"))
    }
    let before = try #require(model.changes.last)
    try put(Card(id: "x", title: "3"))
    let text = try #require(model.items[key])
    try disk.replaceFile(at: "/documents/x.card", with: text.value)
    try exchange.index.update("x.card") { entry in
      var entry = entry
      entry.coming = DocumentIndex.Base(revision: text.revision, digest: text.value.digest)
      return entry
    }
    try exchange.take(before)
    #expect(try titles == ["3"])
    try receiveLast()
    try sendAll()
    #expect(try titles == ["3"] && model.items[key] == text)
  }

  @Test("What another process is about to write is not written by who is behind, nor forgotten")
  func aboutToBeWritten() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try put(Card(id: "x", title: "2"))
    let change = try #require(model.changes.last)
    let coming = DocumentIndex.Base(revision: model.revision + 1, digest: "later")
    func isComing() -> Bool { exchange.index["x.card"].coming == coming }
    try exchange.index.update("x.card") { entry in
      var entry = entry
      entry.coming = coming
      return entry
    }
    try exchange.take(change)
    #expect(try titles == ["1"] && isComing())
    // Nor is it with an answer to what was sent before.
    try store.edit("x") { $0.title = "3" }
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    let isRefused = try exchange.take(.committed(revision: change.revision), for: batch)
    #expect(!isRefused && isComing())
  }

  @Test("A document that is behind is read again, also if an earlier change was written")
  func behindWritten() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try put(Card(id: "x", title: "2"))
    let change = try #require(model.changes.last)
    let text = try #require(change.writes[SyncKey(document: "x.card")] ?? nil)
    try exchange.index.update("x.card") { entry in
      var entry = entry
      entry.coming = DocumentIndex.Base(revision: change.revision, digest: text.digest)
      entry.isBehind = true
      return entry
    }
    try disk.replaceFile(at: "/documents/x.card", with: text)
    try exchange.scan()
    #expect(throws: DocumentExchange.IsBehind.self) { try exchange.nextBatch() }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    #expect(!exchange.index["x.card"].isBehind && exchange.index["x.card"].base?.revision == 2)
    #expect(try exchange.nextBatch() == nil)
  }

  @Test(
    "Neither an answer nor something earlier ends that a document is behind",
    arguments: [false, true])
  func stillBehind(isAnswer: Bool) throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try store.edit("x") { $0.title = "2" }
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    let result = model.perform(batch.commit)
    exchange.sendAgain(batch)
    try put(Card(id: "x", title: "3"))
    try exchange.index.update(revision: isAnswer ? nil : model.revision) { entries in
      var entry = entries["x.card"]
      entry.isBehind = true
      return ["x.card": entry]
    }
    if isAnswer {
      #expect(try !exchange.take(result, for: batch))
    } else {
      try exchange.take(try #require(model.changes.dropLast().last))
    }
    #expect(exchange.index["x.card"].isBehind)
    #expect(throws: DocumentExchange.IsBehind.self) { try exchange.nextBatch() }
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try sendAll()
    #expect(try titles.contains("3") && !exchange.index["x.card"].isBehind)
  }

  @Test("What was noted to be written, and the engine has lost, holds up nothing")
  func comingOfLost() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try exchange.index.update("x.card") { entry in
      var entry = entry
      entry.coming = DocumentIndex.Base(revision: 4, digest: "lost")
      return entry
    }
    try put(Card(id: "x", title: "2"))
    let position = SyncPosition(cluster: "one", revision: model.revision)
    #expect(!exchange.isKnown(position))
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    // Of another text than that of an engine that was set back, both are kept.
    #expect(try titles.sorted() == ["1", "2"])
  }

  @Test("What was to be noted is not where another process was faster")
  func notedByAnother() throws {
    let other = try Self.exchange(
      DocumentStore<Card>(directory: "/documents", pathExtension: "card", fileSystem: disk))
    var count = 0
    let isNoted = try exchange.index.update { entries in
      count += 1
      if count > 1 { return nil }
      #expect(throws: Never.self) { try other.index.update("x.card") { _ in .init(sent: ["a"]) } }
      return ["x.card": DocumentIndex.Entry(sent: ["b"])]
    }
    #expect(count == 2 && !isNoted && exchange.index["x.card"].sent == ["a"])
  }

  @Test("What another process has written is on disk before it counts as received")
  func writtenByAnother() async throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let text = try JSON.Encoder().encodeToBytes(Card(id: "x", title: "2"))
    try exchange.index.update("x.card") { entry in
      var entry = entry
      entry.coming = DocumentIndex.Base(revision: 2, digest: text.digest)
      return entry
    }
    let new = try disk.open("/documents/.new", .createNew(permissions: .ownerReadWrite))
    try new.writeAll(text)
    try new.synchronize()
    try disk.rename("/documents/.new", to: "/documents/x.card")
    try exchange.scan()
    #expect(try exchange.nextBatch() == nil)
    try exchange.index.makeDurable()
    for state in await disk.statesAfterPowerCut() {
      #expect(state.files["/documents/x.card"] == text)
    }
  }

  @Test("A document whose name is as long as can be is received where it conflicts or is damaged")
  func longName() throws {
    try withTemporaryDirectory { directory in
      let store = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      let exchange = try Self.exchange(store)
      let id = String(repeating: "\u{E9}", count: 125)
      let name = "\(id).card"
      #expect(name.utf8.count == 255)
      var titles: [String] {
        get throws { try store.entries().map { try store.load($0.id).title } }
      }
      try store.create(Card(id: id, title: "1"))
      for number in 2...3 {
        put(
          try JSON.Encoder().encodeToBytes(Card(id: id, title: "theirs \(number)")), as: name)
        try store.edit(id) { $0.title = "ours \(number)" }
        try exchange.take(try #require(model.changes.last))
        #expect(try titles == ["theirs \(number)"])
      }
      #expect(try store.removed().map(\.id) == [id, id])
      for number in 4...5 {
        let file = try LocalFileSystem().open(directory.appending(name), .append)
        try file.truncate(to: 0)
        try file.writeAll(Array("{\(number)".utf8))
        put(
          try JSON.Encoder().encodeToBytes(Card(id: id, title: "theirs \(number)")), as: name)
        try exchange.take(try #require(model.changes.last))
        #expect(try titles == ["theirs \(number)"])
      }
      #expect(try store.quarantined().map(\.name) == [name, name])
      #expect(try exchange.documents.isLost(name, wholeAt: nil))
    }
  }

  @Test("What was received, sent or compared is not read again until it is changed")
  func readOnce() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    put(try JSON.Encoder().encodeToBytes(Card(id: "y", title: "1")), as: "y.card")
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try sendAll()
    let callCount = disk.calls.count
    try exchange.scan()
    exchange.note(["x.card", "y.card"])
    #expect(try exchange.nextBatch() == nil && exchange.waitingCount == 0)
    let opened = disk.calls[callCount...].filter { $0.operation == .open }.map(\.path)
    #expect(opened.allSatisfy { $0.extension != "card" })
    for name in ["x", "y"] {
      // As an editor that replaces no file, by a text of the same length.
      let path = FilePath("/documents/\(name).card")
      let text = try #require(disk.files[path]).map {
        $0 == UInt8(ascii: "1") ? UInt8(ascii: "2") : $0
      }
      let file = try disk.open(path, .append)
      try file.truncate(to: 0)
      try file.writeAll(text)
    }
    exchange.note(["x.card", "y.card"])
    try sendAll()
    #expect(model.values.values.allSatisfy { $0.contains(UInt8(ascii: "2")) })
  }

  @Test("What is not a document replaces none, also where that was not changed")
  func noDocument() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let good = try JSON.Encoder().encodeToBytes(Card(id: "x", title: "2"))
    for (text, title) in zip([Array("{".utf8), [], good], ["1", "1", "2"]) {
      for name in ["x.card", "y.card"] {
        put(text, as: name)
        try receiveLast()
      }
      #expect(try store.load("x").title == title)
      #expect(disk.files["/documents/y.card"] != nil || title == "1")
      #expect(try exchange.blockedDocuments().isEmpty)
    }
  }

  @Test("What was restored in vain and removed again is not there again for a moment")
  func removedTwice() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    let removed = try store.remove("x")
    try sendAll()
    try store.restore(removed)
    try exchange.scan()
    exchange.sendAgain(try #require(try exchange.nextBatch()))
    try store.remove("x")
    try sendAll()
    for change in model.changes { try exchange.take(change) }
    #expect(try store.ids() == [] && store.removed().count == 1)
    #expect(exchange.index["x.card"] == DocumentIndex.Entry())
  }

  @Test("A base that comes again is merged with what is here, also if its copy is lost")
  func baseAgain() throws {
    try put(Card(id: "x", title: "1"))
    try receiveLast()
    let base = try #require(disk.files["/documents/x.card"])
    try store.edit("x") { $0.title = "2" }
    try disk.remove("/documents/Sharing/card/x.card")
    for name in try disk.contents(ofDirectory: "/documents/Versions/x") {
      try disk.remove(FilePath("/documents/Versions/x").appending(name))
    }
    put(base)
    try receiveLast()
    #expect(try store.ids() == ["x"] && store.load("x").title == "2")
  }

  @Test("What was removed since is not there again for a moment because a process is behind")
  func processBehind() throws {
    let other = try Self.exchange(store)
    try put(Card(id: "x", title: "1"))
    let creation = try #require(model.changes.last)
    try exchange.take(creation)
    let key = SyncKey.value(Array("x.card".utf8))
    _ = model.perform(SyncCommit(conditions: [:], writes: [key: nil]))
    try receiveLast()
    try other.take(creation)
    #expect(try store.ids() == [] && store.removed().count == 1)
  }

  @Test("What is not a document is moved aside for what others have, and that is reported")
  func brokenHere() async throws {
    let problems = Mutex<[DocumentError]>([])
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk,
      onProblem: { problem in problems.withLock { $0.append(problem) } })
    let exchange = try Self.exchange(store)
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    #expect(try !exchange.take(model.perform(batch.commit), for: batch))
    try disk.replaceFile(at: "/documents/x.card", with: Array("{".utf8))
    try put(Card(id: "x", title: "2"))
    try exchange.take(try #require(model.changes.last))
    #expect(try store.load("x").title == "2" && store.quarantined().count == 1)
    // Problems are reported soon.
    try await eventually {
      problems.withLock { $0 }.contains { $0.kept?.contains("Quarantine") == true }
    }
  }

  private struct NoName: DocumentID {
    var documentName = ""
    init?(documentName: String) { nil }
  }

  private struct Newer: Codable, Identifiable, Sendable { var id: NoName }

  @Test("What a version of the app does not take for a document's name counts as removed nowhere")
  func unknownName() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try receiveLast()
    put([], as: "y")
    let newer = try DocumentStore<Newer>(
      directory: "/documents", pathExtension: "card", fileSystem: disk)
    let exchange = try DocumentExchange(
      newer.sharedDocuments { _ in .keepBoth }, limits: exchange.limits, isAutomatic: false)
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try exchange.scan()
    #expect(try exchange.nextBatch() == nil && titles == ["1"])
    #expect(exchange.index["x.card"].base != nil)
  }

  @Test("An asset that is here is whole, also after a power cut")
  func durableAsset() async throws {
    let documents = try store.sharedDocuments { _ in .keepBoth }
    let content: [UInt8] = Array(1...100)
    try documents.write(content, asAsset: "a.png")
    let states = await disk.statesAfterPowerCut().map { $0.files["/documents/a.png"] }
    #expect(!states.isEmpty && states.allSatisfy { $0 == nil || $0 == content })
  }

  @Test(
    "The base of a document that a power cut took is there again, unless the document was changed")
  func tornBase() throws {
    try put(Card(id: "x", title: "1", color: "red"))
    try receiveLast()
    for torn in [nil, [UInt8]()] {
      let base: FilePath = "/documents/Sharing/card/x.card"
      try disk.remove(base)
      if let torn { try disk.replaceFile(at: base, with: torn) }
      let again = try Self.exchange(store)
      try again.scan()
      try again.compare()
      #expect(disk.files[base] == disk.files["/documents/x.card"])
    }
    let restarted = try Self.exchange(store)
    try store.edit("x") { $0.color = "blue" }
    try put(Card(id: "x", title: "2", color: "red"))
    try restarted.take(try #require(model.changes.last))
    #expect(try store.ids() == ["x"])
    #expect(try store.load("x") == Card(id: "x", title: "2", color: "blue"))
  }

  @Test(
    "What others do after the same was sent from here in vain, and undone, is theirs",
    arguments: [false, true], [false, true])
  func sameElsewhere(isRemoval: Bool, isRead: Bool) throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try receiveLast()
    if isRemoval { try store.remove("x") } else { try store.edit("x") { $0.title = "2" } }
    try exchange.scan()
    exchange.sendAgain(try #require(try exchange.nextBatch()))
    let key = SyncKey(document: "x.card")
    let theirs = disk.files["/documents/x.card"]
    if isRemoval {
      try store.restore(try #require(try store.removed().first))
    } else {
      try store.edit("x") { $0.title = "1" }
    }
    _ = model.perform(SyncCommit(conditions: [:], writes: [key: theirs]))
    if isRead {
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
    } else {
      try receiveLast()
    }
    #expect(disk.files["/documents/x.card"] == theirs)
    try sendAll()
    #expect(model.items[key]?.value == theirs)
  }

  @Test(
    "What an editor has written in place of what was received is on disk before it is known to be sent"
  )
  func unflushedAfterReceived() async throws {
    try put(Card(id: "x", title: "1"))
    try receiveLast()
    let file = try disk.open("/documents/new", .createNew(permissions: .ownerReadWrite))
    try file.writeAll(JSON.Encoder().encodeToBytes(Card(id: "x", title: "2")))
    try disk.rename("/documents/new", to: "/documents/x.card")
    try sendAll()
    let text = disk.files["/documents/x.card"]
    let found = await disk.statesAfterPowerCut().map { $0.files["/documents/x.card"] }
    #expect(!found.isEmpty && found.allSatisfy { $0 == text })
  }

  @Test(
    "A damaged document whose base is lost is received again, and one that an engine lost is given back"
  )
  func givenBack() throws {
    let file: FilePath = "/documents/x.card"
    try put(Card(id: "x", title: "1"))
    try receiveLast()
    let text = try #require(disk.files[file])
    for isLostThere in [false, true] {
      if isLostThere {
        model = EngineModel(cluster: "two")
        try exchange.take(model.snapshot, askedFor: exchange.index.position)
      } else {
        try disk.remove("/documents/Sharing/card/x.card")
      }
      try disk.replaceFile(at: file, with: Array("{".utf8))
      #expect(throws: DocumentError.self) { try store.load("x") }
      exchange.note(["x.card"])
      if isLostThere {
        #expect(try exchange.nextBatch() == nil)
      } else {
        #expect(throws: DocumentExchange.IsBehind.self) { try exchange.nextBatch() }
        try exchange.take(model.snapshot, askedFor: exchange.index.position)
      }
      #expect(disk.files[file] == text)
      _ = exchange.keepSomeBases()
    }
    try sendAll()
    #expect(model.values == [Array("x.card".utf8): text])
  }
}
