import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

@Suite("Documents that an engine, or a machine, does not take", .timeLimit(.minutes(5)))
final class UntakenDocumentsTests: DocumentSyncHarness {
  @Test("What the engine does not take, and is undone, does not wait any more")
  func undoneRefusal() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try store.create(Card(id: "x", title: "1"))
      try await store.synchronize(.everywhere)
      await engine.setForbidden("x")
      try store.edit("x") { $0.title = "2" }
      await #expect(throws: SyncError.self) { try await store.synchronize(.everywhere) }
      try store.edit("x") { $0.title = "1" }
      try await store.synchronize(.everywhere)
      for await status in store.syncStatus where status.state == .current { break }
    }
  }

  @Test("What takes longer to read than an answer is waited for is read in the end")
  func longReading() async throws {
    try await withTemporaryDirectory { directory in
      let one = try open(directory.appending("a"))
      try one.create(Card(id: "x", title: "1"))
      try await one.synchronize(.everywhere)
      var timing = SyncTiming.short
      (timing.answer, timing.patience) = (.milliseconds(20), .milliseconds(50))
      await engine.setDelay(.milliseconds(250))
      let two = try open(directory.appending("b"), timing: timing)
      try await eventually { try two.ids() == ["x"] }
    }
  }

  @Test("A document that cannot be read for a while does not leave the status behind")
  func unreadableForAWhile() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try store.create(Card(id: "x", title: "1"))
      try await store.synchronize(.everywhere)
      let (files, file) = (LocalFileSystem(), directory.appending("x.card"))
      let text = try #require(try files.readFile(at: file))
      try files.remove(file)
      try files.createDirectory(file)
      await #expect(throws: DocumentError.self) { try await store.synchronize(.everywhere) }
      try files.remove(file)
      try files.replaceFile(at: file, with: text)
      for await status in store.syncStatus where status.state == .current { break }
    }
  }

  @Test("A damaged document comes back, and is removed nowhere", arguments: [false, true])
  func damage(wasRemovedBefore: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let (one, two) = (try open(a), try open(b))
      try one.create(Card(id: "x", title: "1"))
      try await one.synchronize(.everywhere)
      _ = try await agreed(a, b)
      if wasRemovedBefore {
        let removed = try one.remove("x")
        try await one.synchronize(.everywhere)
        try await eventually { try two.removed().count == 1 }
        try one.restore(removed)
        try await one.synchronize(.everywhere)
        _ = try await agreed(a, b)
        #expect(try two.removed().count == 1)
      }
      try LocalFileSystem().replaceFile(at: b.appending("x.card"), with: Array("{".utf8))
      #expect(throws: DocumentError.self) { try two.load("x") }
      try await two.synchronize(.everywhere)
      try await eventually { (try? two.load("x").title) == "1" }
      #expect(try two.quarantined().count == 1)
      #expect(try one.load("x").title == "1")
    }
  }

  @Test("Who may not send receives nevertheless")
  func readOnly() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try store.create(Card(id: "x", title: "1"))
      try await store.synchronize(.everywhere)
      await engine.setFull(true)
      await engine.setDelay(.milliseconds(50))
      try store.create(Card(id: "y"))
      for number in 2..<5 {
        let text = try JSON.Encoder().encodeToBytes(Card(id: "x", title: "\(number)"))
        let key = SyncKey.value(Array("x.card".utf8))
        _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: text]))
        try await eventually { try store.load("x").title == "\(number)" }
      }
      await #expect(throws: SyncError.self) { try await store.synchronize(.everywhere) }
      await engine.setFull(false)
      try await store.synchronize(.everywhere)
      #expect(await engineTexts.count == 2)
    }
  }

  @Test("A document that the engine rejects holds up no other")
  func rejected() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      for number in 0..<5 {
        await engine.setForbidden("3.card")
        for id in 0..<9 { try store.save(Card(id: "\(id)", title: "\(number)")) }
        let error = await #expect(throws: SyncError.self) {
          try await store.synchronize(.everywhere)
        }
        #expect(error == .rejected("3.card: Permission was denied."))
        let texts = try texts(directory).filter { $0.key != "3.card" }
        #expect(await engineTexts.filter { $0.key != "3.card" } == texts)
        await engine.setForbidden(nil)
        try await store.synchronize(.everywhere)
        #expect(try await engineTexts == self.texts(directory))
      }
    }
  }

  @Test("Many documents that the engine rejects do not keep others waiting")
  func manyRejected() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      await engine.setForbidden("a")
      for id in 10..<60 { try store.create(Card(id: "a\(id)")) }
      await #expect(throws: SyncError.self) { try await store.synchronize(.everywhere) }
      try store.create(Card(id: "b"))
      try await eventually { await engineTexts.keys.sorted() == ["b.card"] }
      await engine.setForbidden(nil)
      try await store.synchronize(.everywhere)
      #expect(try await engineTexts == texts(directory))
    }
  }

  @Test("Of a document that cannot be read here, what others change comes once it can")
  func unreadableHere() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let (one, two) = (try open(a), try open(b))
      for id in ["x", "y"] { try one.create(Card(id: id, title: "1")) }
      try await one.synchronize(.everywhere)
      _ = try await agreed(a, b)
      let (file, aside) = (b.appending("x.card"), b.appending("aside"))
      // In one step, since it would be removed otherwise.
      try LocalFileSystem().createDirectory(aside)
      try LocalFileSystem().exchange(file, with: aside)
      for number in 2..<5 {
        for id in ["x", "y"] { try one.edit(id) { $0.title = "\(number)" } }
        try await one.synchronize(.everywhere)
        try await eventually { try two.load("y").title == "\(number)" }
      }
      await #expect(throws: DocumentError.self) { try await two.synchronize(.everywhere) }
      try LocalFileSystem().exchange(file, with: aside)
      try await two.synchronize(.everywhere)
      #expect(try two.load("x").title == "4")
      _ = try await agreed(a, b)
    }
  }

  @Test("What cannot be read here holds up no report of what an earlier process has sent")
  func unreadableAtStart() async throws {
    try await withTemporaryDirectory { directory in
      var store: DocumentStore<Card>? = try open(directory)
      try store?.create(Card(id: "x", title: "1"))
      try await store?.synchronize(.everywhere)
      let file = directory.appending("x.card")
      let text = try #require(try LocalFileSystem().readFile(at: file))
      // The process has two more commits answered, and ends before they are reported.
      await engine.setSilent(true)
      for id in ["y", "z"] {
        try store?.create(Card(id: id))
        try await store?.synchronize(.everywhere)
      }
      store = nil
      try await eventually { await engine.connections == 0 }
      await engine.setSilent(false)
      try LocalFileSystem().remove(file)
      try LocalFileSystem().createDirectory(file)
      store = try open(directory)
      await engine.put("w.card", try JSON.Encoder().encodeToBytes(Card(id: "w")))
      try await eventually { (try? store?.load("w").id) == "w" }
      try LocalFileSystem().remove(file)
      try LocalFileSystem().replaceFile(at: file, with: text)
      try await store?.synchronize(.everywhere)
    }
  }

  @Test("What is not a document is taken nowhere, and what is too large is kept")
  func refused() async throws {
    try await withTemporaryDirectory { directory in
      let one = try open(directory)
      try one.create(Card(id: "x", title: "1"))
      try await one.synchronize(.everywhere)
      await engine.setFaults(100)
      try one.edit("x") { $0.title = "2" }
      await engine.put("x.card", Array("{".utf8))
      await engine.put("../up.card", Array("{}".utf8))
      await engine.put("a/b.card", Array("{}".utf8))
      await engine.setFaults(0)
      let error = await #expect(throws: SyncError.self) { try await one.synchronize(.everywhere) }
      #expect(error?.description.contains("x.card") == true)
      #expect(try one.load("x").title == "2")
      await engine.put("x.card", try texts(directory)["x.card"])
      // It may not have come yet.
      try await eventually { (try? await one.synchronize(.everywhere)) != nil }
      try one.create(Card(id: "y", title: String(repeating: "y", count: 6000)))
      let large = await #expect(throws: SyncError.self) { try await one.synchronize(.everywhere) }
      #expect(large?.description.contains("y.card") == true)
      // Another process of this machine knows it, and does not help.
      let other = try open(directory)
      for store in [one, other] {
        for await status in store.syncStatus
        where status == SyncStatus(.current, tooLarge: ["y.card"]) { break }
      }
      try await Task.sleep(for: SyncTiming.short.silence * 5)
      #expect(await engine.connections <= 1)
      await #expect(throws: SyncError.self) { try await other.synchronize(.everywhere) }
      try one.edit("y") { $0.title = "small" }
      try await one.synchronize(.everywhere)
      #expect(await engineTexts["y.card"] != nil)
      #expect(
        try LocalFileSystem().contents(ofDirectory: directory.removingLastComponent())
          .contains("up.card") == false)
    }
  }

  @Test("A file that a program is writing is not taken for a damaged one")
  func writtenInPlace() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try store.create(Card(id: "x", title: "1"))
      try await store.synchronize(.everywhere)
      let file = directory.appending("x.card")
      let text = try JSON.Encoder().encodeToBytes(Card(id: "x", title: "1", color: "blue"))
      var (last, longestPause) = (ContinuousClock.now, Duration.zero)
      func write(_ text: [UInt8]) throws {
        try LocalFileSystem().replaceFile(at: file, with: text)
        longestPause = max(longestPause, .now - last)
        last = .now
      }
      try write(Array(text.prefix(9)))
      await engine.put("x.card", try JSON.Encoder().encodeToBytes(Card(id: "x", title: "2")))
      for _ in 0..<3 {
        try await Task.sleep(for: .milliseconds(100))
        try write(Array(text.prefix(9)))
      }
      try write(text)
      // On a machine that stood still, nobody seemed to be writing.
      if longestPause > .milliseconds(300) { return }
      try await eventually {
        let card = try? store.load("x")
        return card?.title == "2" && card?.color == "blue"
      }
      #expect(try store.quarantined().isEmpty)
    }
  }

  @Test("What was damaged is restored, also if the clock was ahead when it was received")
  func clockAhead() async throws {
    try await withTemporaryDirectory { directory in
      func setTime(of path: FilePath, to seconds: Double) throws {
        let time = Date(timeIntervalSinceNow: seconds)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path.string)
      }
      let store = try open(directory)
      try store.create(Card(id: "x", title: "1"))
      try await store.synchronize(.everywhere)
      let base = directory.appending("Sharing/card/x.card")
      try await eventually { try LocalFileSystem().information(at: base) != nil }
      try setTime(of: base, to: 3600)
      let file = directory.appending("x.card")
      try LocalFileSystem().replaceFile(at: file, with: Array("{".utf8))
      try setTime(of: file, to: -60)
      #expect(throws: DocumentError.self) { try store.load("x") }
      try await eventually { (try? store.load("x").title) == "1" }
      #expect(await engineTexts["x.card"] != nil)
      // Also if that was only known later; and what is removed then stays removed.
      try setTime(of: directory.appending("Quarantine/x.card-1.txt"), to: 3600)
      try await eventually {
        try LocalFileSystem().information(at: base).map {
          $0.modified < Int64(Date().timeIntervalSince1970 * 1_000_000_000)
        } == true
      }
      try store.remove("x")
      try await store.synchronize(.everywhere)
      #expect(await engineTexts["x.card"] == nil)
      #expect(throws: DocumentError.self) { try store.load("x") }
    }
  }

  @Test("Where the disk is full, not everything is read for it again and again, but for who asks")
  func fullDisk() async throws {
    await engine.put("x.card", try JSON.Encoder().encodeToBytes(Card(id: "x", title: "1")))
    await engine.setDelay(.milliseconds(400))
    let disk = SimulatedDisk()
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk)
    try store.share(through: engine, timing: .short)
    disk.failAlways(.write, with: .noSpace)
    try await eventually { await engine.readings == 1 }
    try await Task.sleep(for: .seconds(3))
    #expect(await engine.readings <= 5)
    await engine.setDelay(.seconds(1))
    let readings = await engine.readings
    try await eventually { await engine.readings > readings }
    await engine.setDelay(.zero)
    await #expect(throws: (any Error).self) { try await store.synchronize(.everywhere) }
    disk.stopFailing()
    try await store.synchronize(.everywhere)
    #expect(try store.load("x").title == "1")
  }

  @Test("Where the engine answers only what is short, as on a slow line, less is sent at once")
  func slowLine() async throws {
    try await withTemporaryDirectory { directory in
      var timing = SyncTiming.short
      timing.patience = timing.resend
      await engine.setBeforeCommit { commit throws(SyncError) in
        let count = commit.writes.keys.count { if case .value = $0 { true } else { false } }
        if count > 1 { try? await Task.sleep(for: .seconds(3600)) }
      }
      let writer = try open(directory, isShared: false)
      for id in 0..<6 { try writer.create(Card(id: "\(id)")) }
      try await open(directory, timing: timing).synchronize(.everywhere)
      #expect(try await engineTexts == texts(directory))
    }
  }
}
