import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Sending documents, and answers that come late or never")
final class SendingDocumentsTests: ExchangeHarness {
  @Test(
    "A document that is damaged before it is known that it was sent is not taken for a removed one",
    arguments: [false, true], [false, true])
  func quarantinedWhileSent(isNew: Bool, isAnswered: Bool) throws {
    let file: FilePath = "/documents/x.card"
    try store.create(Card(id: "x", title: "1"))
    if !isNew {
      try sendAll()
      try store.edit("x") { $0.title = "2" }
    }
    let text = try #require(disk.files[file])
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    let result = model.perform(batch.commit)
    try disk.replaceFile(at: file, with: Array("{".utf8))
    #expect(throws: DocumentError.self) { try store.load("x") }
    if isAnswered {
      #expect(try !exchange.take(result, for: batch))
    } else {
      exchange.sendAgain(batch)
      try receiveLast()
    }
    try sendAll()
    #expect(disk.files[file] == text && model.values.values.contains(text))
  }

  @Test("What is seen of a commit waits for its answer, or for one that is as durable")
  func unansweredCommit() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    exchange.noteAnswer(isMissing: true)
    let result = model.perform(batch.commit)
    exchange.sendAgain(batch)
    let change = try #require(model.changes.last)
    #expect(try exchange.mustWait(for: change))
    let question = try #require(try exchange.question())
    try exchange.take(answer: model.perform(question))
    #expect(result == .committed(revision: change.revision))
    #expect(try !exchange.mustWait(for: change) && exchange.question() == nil)
    try exchange.take(change)
    #expect(try exchange.nextBatch() == nil && exchange.waitingCount == 0)
  }

  @Test("The report of a removal ends nothing of what was sent since")
  func reportOfRemoval() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try store.remove("x")
    try sendAll()
    let report = try #require(model.changes.last)
    try store.create(Card(id: "x", title: "2"))
    try exchange.scan()
    _ = try #require(try exchange.nextBatch())
    let sent = exchange.index["x.card"].sent
    try exchange.take(report)
    let entry = exchange.index["x.card"]
    #expect(sent.count == 1 && entry.sent == sent && entry.removedRevision == nil)
  }

  @Test("An answer that comes after the report of a removal says nothing of the document")
  func lateAnswer() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    let result = model.perform(batch.commit)
    let removal = SyncCommit(conditions: [:], writes: [SyncKey(document: "x.card"): nil])
    _ = model.perform(removal)
    for change in model.changes { try exchange.take(change) }
    #expect(try !exchange.take(result, for: batch))
    #expect(try exchange.index.names == [] && store.ids() == [])
  }

  @Test("Nothing is known of a document that an engine never had, and that was removed")
  func removedBeforeSent() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    model = EngineModel(cluster: "two")
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try store.remove("x")
    try sendAll()
    #expect(exchange.index.names == [] && model.values.isEmpty)
  }

  @Test("A document that is damaged before it was sent holds up no other")
  func quarantinedUnsent() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    exchange.sendAgain(try #require(try exchange.nextBatch()))
    try disk.replaceFile(at: "/documents/x.card", with: Array("{".utf8))
    #expect(throws: DocumentError.self) { try store.load("x") }
    try store.create(Card(id: "y", title: "1"))
    try sendAll()
    #expect(model.values.keys.map { String(decoding: $0, as: UTF8.self) } == ["y.card"])
  }

  @Test(
    "What was removed does not come back with a late report that it was there",
    arguments: [false, true])
  func lateReport(isMadeAgain: Bool) throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try store.remove("x")
    try sendAll()
    if isMadeAgain { try store.create(Card(id: "x", title: "2")) }
    for change in model.changes {
      try exchange.take(change)
      #expect(try titles == (isMadeAgain ? ["2"] : []))
    }
    #expect(exchange.index.names.isEmpty)
    try sendAll()
    #expect(model.values.count == (isMadeAgain ? 1 : 0))
    // Another machine takes the removal back.
    if isMadeAgain { return }
    let restored = model.changes[0].writes.filter { $0.value?.isEmpty == false }
    _ = model.perform(SyncCommit(conditions: [:], writes: restored))
    try receiveLast()
    try sendAll()
    #expect(try titles == ["1"] && model.values.count == 1)
  }

  @Test("What is sent late does not bring back a document that was removed meanwhile")
  func lateCommit() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    let late = try #require(try exchange.nextBatch())
    exchange.sendAgain(late)
    try sendAll()
    try store.remove("x")
    try sendAll()
    _ = model.perform(late.commit)
    #expect(model.values.isEmpty)
  }

  @Test("What was made again after a removal, and sent, is known although the removal comes late")
  func lateRemoval() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try store.remove("x")
    try sendAll()
    try store.create(Card(id: "x", title: "2"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    _ = model.perform(batch.commit)
    exchange.sendAgain(batch)
    try store.edit("x") { $0.title = "3" }
    for change in model.changes { try exchange.take(change) }
    #expect(try titles == ["3"])
    let late = try #require(try exchange.nextBatch())
    _ = try exchange.take(model.perform(late.commit), for: late)
    try sendAll()
    #expect(try titles == ["3"] && model.values.count == 1)
  }

  @Test("What is known of a document is not ahead of what an editor has written")
  func unflushedEdits() async throws {
    /// Writes what an editor does that flushes nothing.
    func edit(_ title: String) throws {
      let file = try disk.open("/documents/new", .createNew(permissions: .ownerReadWrite))
      try file.writeAll(JSON.Encoder().encodeToBytes(Card(id: "x", title: title)))
      try disk.rename("/documents/new", to: "/documents/x.card")
    }
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    func checkAfterPowerCut() async {
      let text = disk.files["/documents/x.card"]
      let found = await disk.statesAfterPowerCut().map { $0.files["/documents/x.card"] }
      #expect(!found.isEmpty && found.allSatisfy { $0 == text })
    }
    try edit("2")
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    await checkAfterPowerCut()
    _ = model.perform(batch.commit)
    exchange.sendAgain(batch)
    try edit("3")
    try receiveLast()
    await checkAfterPowerCut()
  }

  @Test("What was undone after it was sent stays undone, also if its answer was lost")
  func undoing() throws {
    /// Sends what was changed, and loses the answer.
    func send() throws {
      try exchange.scan()
      while true {
        let batch = try #require(try exchange.nextBatch())
        let result = model.perform(batch.commit)
        if case .committed = result { return exchange.sendAgain(batch) }
        // It did not know that the one before was made.
        _ = try exchange.take(result, for: batch)
      }
    }
    /// Receives what was not received, and sends what is here then.
    func follow() throws {
      for change in model.changes where change.revision > exchange.index.log.revision {
        try exchange.take(change)
      }
      try sendAll()
    }
    try store.create(Card(id: "x", title: "1"))
    try send()
    try follow()
    try store.edit("x") { $0.title = "2" }
    try send()
    try store.edit("x") { $0.title = "1" }
    try follow()
    #expect(try store.load("x").title == "1")
    let removed = try store.remove("x")
    try send()
    try store.restore(removed)
    try follow()
    #expect(try store.load("x").title == "1")
    #expect(model.values.count == 1 && exchange.waitingCount == 0)
  }

  @Test("What was undone before it was sent is not taken for what another machine does later")
  func undoingBeforeSending() throws {
    /// Sends in vain.
    func attempt() throws {
      try exchange.scan()
      exchange.sendAgain(try #require(try exchange.nextBatch()))
    }
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    try store.edit("x") { $0.title = "2" }
    let theirs = try #require(disk.files["/documents/x.card"])
    try attempt()
    try store.edit("x") { $0.title = "1" }
    try sendAll()
    put(theirs)
    try receiveLast()
    try sendAll()
    #expect(try store.load("x").title == "2")

    let removed = try store.remove("x")
    try attempt()
    try store.restore(removed)
    try sendAll()
    let key = SyncKey.value(Array("x.card".utf8))
    _ = model.perform(SyncCommit(conditions: [:], writes: [key: nil]))
    try receiveLast()
    try sendAll()
    #expect(try store.ids() == [] && model.values.isEmpty)

    try store.create(Card(id: "y", title: "1"))
    let mine = try #require(disk.files["/documents/y.card"])
    try attempt()
    try store.remove("y")
    try sendAll()
    #expect(exchange.index["y.card"] == DocumentIndex.Entry())
    put(mine, as: "y.card")
    try receiveLast()
    try sendAll()
    #expect(try store.ids() == ["y"] && model.values.count == 1)
  }

  @Test("What was created, without an answer, and removed elsewhere is not created again")
  func lateCreation() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    _ = model.perform(batch.commit)
    exchange.sendAgain(batch)
    exchange.noteAnswer(isMissing: true)
    _ = model.perform(SyncCommit(conditions: [:], writes: [SyncKey(document: "x.card"): nil]))
    // The answer comes before what was made until then; what is new waits for that, and nothing else does.
    try exchange.take(answer: model.perform(try #require(try exchange.question())))
    #expect(try exchange.nextBatch() == nil && exchange.waitingCount == 1)
    for change in model.changes { try exchange.take(change) }
    try sendAll()
    #expect(try store.ids() == [] && model.values.isEmpty && exchange.waitingCount == 0)
    // Of another engine, that says nothing.
    try store.create(Card(id: "y", title: "1"))
    model = EngineModel(cluster: "two")
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    try sendAll()
    #expect(model.values.count == 1)
  }

  @Test("What is refused for a creation that was not answered is not created again, either")
  func refusedCreation() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    _ = model.perform(batch.commit)
    exchange.sendAgain(batch)
    _ = model.perform(SyncCommit(conditions: [:], writes: [SyncKey(document: "x.card"): nil]))
    let again = try #require(try exchange.nextBatch())
    #expect(try !exchange.take(model.perform(again.commit), for: again))
    #expect(try exchange.nextBatch() == nil)
    for change in model.changes { try exchange.take(change) }
    try sendAll()
    #expect(try store.ids() == [] && model.values.isEmpty)
  }

  @Test("What an engine has lost is offered after what others have done since")
  func offerAfterAbsence() throws {
    try store.create(Card(id: "x", title: "1"))
    try sendAll()
    model = EngineModel(cluster: "two")
    try exchange.take(model.snapshot, askedFor: exchange.index.position)
    // Another machine has offered the same, and a third one has removed it.
    let key = SyncKey(document: "x.card")
    let text = try #require(disk.files["/documents/x.card"])
    for text in [text, nil] {
      _ = model.perform(SyncCommit(conditions: [:], writes: [key: text]))
    }
    exchange.noteOpened(through: model.revision)
    try store.create(Card(id: "y", title: "1"))
    try exchange.scan()
    let batch = try #require(try exchange.nextBatch())
    #expect(batch.names == ["y.card"])
    exchange.sendAgain(batch)
    for change in model.changes { try exchange.take(change) }
    try sendAll()
    #expect(try store.ids() == ["y"] && model.values.count == 1)
  }

  @Test("Of what is sent in vain, the index has the last of it")
  func sentInVain() throws {
    try store.create(Card(id: "x", title: "0"))
    try sendAll()
    for number in 1...150 {
      try store.edit("x") { $0.title = "\(number)" }
      try exchange.scan()
      let batch = try #require(try exchange.nextBatch())
      exchange.sendAgain(batch)
      let sent = exchange.index["x.card"].sent
      #expect(sent.count == min(number, 100) && sent.last == batch.documents[0].text.sentDigest)
    }
    try sendAll()
    #expect(exchange.index["x.card"].sent.isEmpty && exchange.waitingCount == 0)
  }

  @Test("Where an engine was set back, nothing waits for what it had shown")
  func shownBeforeSetBack() throws {
    try store.create(Card(id: "x", title: "1"))
    try exchange.scan()
    exchange.sendAgain(try #require(try exchange.nextBatch()))
    let before = model
    for number in 0..<3 { put([], as: "y\(number).card") }
    let key = try exchange.origin
    let item = SyncItem(value: [], revision: model.revision)
    try exchange.take(answer: .refused(current: [key: item]))
    #expect(try exchange.nextBatch() == nil)
    model = before
    exchange.noteOpened(through: model.revision)
    #expect(try exchange.nextBatch()?.names == ["x.card"])
  }
}
