import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@testable import KeepsakeSync

@Suite("Documents with an engine", .timeLimit(.minutes(5)))
final class DocumentSyncTests: DocumentSyncHarness {
  @Test("The status is there while what comes is written to a slow disk")
  func statusWhileReceiving() async throws {
    let disk = EditingDisk(base: SimulatedDisk())
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk)
    try store.share(through: engine, timing: .short)
    try await store.synchronize(.everywhere)
    let isKnown = DispatchSemaphore(value: 0)
    let isWriting = Mutex(false)
    let isKnownMeanwhile = Mutex(false)
    disk.edit.withLock {
      $0 = {
        isWriting.withLock { $0 = true }
        let result = isKnown.wait(timeout: .now() + 20)
        isKnownMeanwhile.withLock { $0 = result == .success }
      }
    }
    let text = try JSON.Encoder().encodeToBytes(Card(id: "x", title: "1"))
    _ = await engine.performElsewhere(
      SyncCommit(conditions: [:], writes: [SyncKey(document: "x.card"): text]))
    try await eventually { isWriting.withLock { $0 } }
    for await _ in store.syncStatus { break }
    isKnown.signal()
    try await eventually { try store.ids() == ["x"] }
    #expect(isKnownMeanwhile.withLock { $0 })
  }

  @Test("A machine has joined once it has synchronized everywhere")
  func joined() async throws {
    try await withTemporaryDirectory { directory in
      let one = try open(directory.appending("a"))
      try one.create(Card(id: "x", title: "1"))
      try await one.synchronize(.everywhere)
      await engine.setDelay(.milliseconds(60))
      let two = try open(directory.appending("b"))
      // It has begun to read what the engine has.
      try await Task.sleep(for: .milliseconds(20))
      try await two.synchronize(.everywhere)
      #expect(try titles(two) == ["1"])
    }
  }

  @Test("What is saved, changed and removed on one machine is so on others")
  func everywhere() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let (one, two) = (try open(a), try open(b))
      try one.create(Card(id: "x", title: "1"))
      try one.create(Card(id: "y", title: "1"))
      try await one.synchronize(.everywhere)
      #expect(await engineTexts.keys.sorted() == ["x.card", "y.card"])
      _ = try await agreed(a, b)
      try two.edit("x") { $0.title = "2" }
      try await two.synchronize(.everywhere)
      try await eventually { try one.load("x").title == "2" }
      try one.remove("x")
      try await one.synchronize(.everywhere)
      #expect(await engineTexts.keys.sorted() == ["y.card"])
      _ = try await agreed(a, b)
      #expect(try two.removed().map(\.id) == ["x"])
      try one.create(Card(id: "x", title: "3"))
      try await eventually { (try? two.load("x").title) == "3" }
    }
  }

  @Test(
    "A directory from a backup in place of the documents is not sent as changes, also if the index is written again",
    arguments: [Duration.zero, .seconds(3)])
  func backup(pause: Duration) async throws {
    try await withTemporaryDirectory { directory in
      let (a, backup) = (directory.appending("a"), directory.appending("backup"))
      let one = try open(a)
      try one.create(Card(id: "x", title: "1"))
      try await one.synchronize(.everywhere)
      try FileManager.default.copyItem(atPath: a.string, toPath: backup.string)
      try one.edit("x") { $0.title = "2" }
      try one.create(Card(id: "y", title: "2"))
      try await one.synchronize(.everywhere)
      let known = await engineTexts
      try LocalFileSystem().rename(a, to: directory.appending("old"))
      try LocalFileSystem().rename(backup, to: a)
      try await Task.sleep(for: pause)
      try one.create(Card(id: "z", title: "3"))
      try await one.synchronize(.everywhere)
      let found = await engineTexts
      #expect(found["x.card"] == known["x.card"] && found["y.card"] == known["y.card"])
      try await eventually { ["x", "y"].allSatisfy { (try? one.load($0).title) == "2" } }
      #expect(await engineTexts["z.card"] != nil)
    }
  }

  @Test("What was never shared is not shared by looking")
  func unshared() throws {
    try withTemporaryDirectory { directory in
      let store = try open(directory, isShared: false)
      let documents = try store.sharedDocuments { _ in .keepBoth }
      #expect(try DocumentAgreement(of: documents) == nil)
      #expect(try LocalFileSystem().information(at: directory.appending("Sharing")) == nil)
    }
  }

  @Test("Changes of one document on two machines are merged")
  func merge() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let one = try open(a)
      try one.create(Card(id: "x", title: "1", color: "red"))
      try await one.synchronize(.everywhere)
      let two = try open(b)
      _ = try await agreed(a, b)
      // Neither hears of the other.
      await engine.setFaults(100)
      try one.edit("x") { $0.title = "one" }
      try two.edit("x") { $0.color = "blue" }
      await engine.setFaults(0)
      try await one.synchronize(.everywhere)
      try await two.synchronize(.everywhere)
      _ = try await agreed(a, b)
      #expect(try one.load("x") == Card(id: "x", title: "one", color: "blue"))
      #expect(try one.entries().count == 1)
    }
  }

  @Test(
    "Where changes exclude each other, both are kept, unless the app decides otherwise",
    arguments: [
      (DocumentConflict.Resolution.keepBoth, ["ours", "theirs"]), (.takeMine, ["ours"]),
      (.takeTheirs, ["theirs"]), (.merge, ["ours"]),
    ])
  func conflict(_ resolution: DocumentConflict.Resolution, titles: [String]) async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let one = try open(a)
      try one.create(Card(id: "x", title: "base"))
      try await one.synchronize(.everywhere)
      let conflicts = Mutex<[DocumentConflict]>([])
      let two = try open(b) { conflict in
        conflicts.withLock { $0.append(conflict) }
        return resolution
      }
      _ = try await agreed(a, b)
      // It is noted after the files were written.
      try await two.synchronize(.everywhere)
      await engine.setFaults(100)
      try two.edit("x") { $0.title = "ours" }
      let documents = try open(b, isShared: false).sharedDocuments { _ in .keepBoth }
      let agreement = try #require(try DocumentAgreement(of: documents))
      #expect(try agreement.toBeSent() == ["x.card"] && agreement.log.revision > 0)
      try one.edit("x") { $0.title = "theirs" }
      // So one has sent it before two can.
      await engine.put("x.card", try texts(a)["x.card"])
      await engine.setFaults(0)
      try await two.synchronize(.everywhere)
      _ = try await agreed(a, b)
      #expect(try self.titles(one).sorted() == titles)
      // The answer to the copy's commit may come after others have received it.
      try await eventually { try agreement.toBeSent().isEmpty }
      let copies = try agreement.copies()
      #expect(copies.count == titles.count - 1 && copies.values.allSatisfy { $0 == "x.card" })
      for name in copies.keys { try two.remove(String(name.dropLast(5))) }
      #expect(try agreement.copies().isEmpty)
      let conflict = try #require(conflicts.withLock { $0.last })
      #expect(conflict.base?["title"] == "base" && conflict.ours["title"] == "ours")
      #expect(conflict.theirs?["title"] == "theirs")
    }
  }

  @Test("Where a file is changed while both are kept, one copy is")
  func changedConflict() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let one = try open(a)
      try one.create(Card(id: "x", title: "base"))
      try await one.synchronize(.everywhere)
      let count = Mutex(0)
      let two = try open(b) { conflict in
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst {
          let text = Array(#"{"id":"x","title":"other","color":"","marks":{}}"#.utf8)
          try? LocalFileSystem().replaceFile(at: conflict.file, with: text)
        }
        return .keepBoth
      }
      _ = try await agreed(a, b)
      try await two.synchronize(.everywhere)
      await engine.setFaults(100)
      try two.edit("x") { $0.title = "ours" }
      try one.edit("x") { $0.title = "theirs" }
      await engine.put("x.card", try texts(a)["x.card"])
      await engine.setFaults(0)
      try await two.synchronize(.everywhere)
      _ = try await agreed(a, b)
      #expect(try titles(one).sorted() == ["other", "theirs"] && count.withLock { $0 } == 2)
    }
  }

  @Test("A document that was removed on one machine and changed on another is kept")
  func removedAndChanged() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let one = try open(a)
      try one.create(Card(id: "x", title: "1"))
      try one.create(Card(id: "y", title: "1"))
      try await one.synchronize(.everywhere)
      let two = try open(b)
      _ = try await agreed(a, b)
      await engine.setFaults(100)
      try one.remove("x")
      try two.edit("x") { $0.title = "2" }
      try two.remove("y")
      try one.edit("y") { $0.title = "2" }
      await engine.setFaults(0)
      try await one.synchronize(.everywhere)
      try await two.synchronize(.everywhere)
      try await eventually {
        let found = try [titles(one), titles(two)]
        return found == [["2", "2"], ["2", "2"]]
      }
    }
  }

  @Test("What was changed while no process had the documents open is sent, and received")
  func restart() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      do {
        let (one, two) = (try open(a), try open(b))
        for id in ["x", "y", "z"] { try one.create(Card(id: id, title: "1")) }
        try await one.synchronize(.everywhere)
        _ = try await agreed(a, b)
        _ = two
      }
      let files = LocalFileSystem()
      let path = a.appending("x.card")
      let text = String(decoding: try #require(try files.readFile(at: path)), as: UTF8.self)
      try files.replaceFile(at: path, with: Array(text.replacing("\"1\"", with: "\"2\"").utf8))
      try files.remove(a.appending("y.card"))
      try open(b, isShared: false).edit("z") { $0.title = "3" }
      let (one, two) = (try open(a), try open(b))
      try await one.synchronize(.everywhere)
      try await two.synchronize(.everywhere)
      _ = try await agreed(a, b)
      #expect(try titles(one) == ["2", "3"])
    }
  }

  @Test("No change is lost or made twice while requests and answers are")
  func faults() async throws {
    try await withTemporaryDirectory { directory in
      let directories = (0..<3).map { directory.appending("\($0)") }
      let stores = try directories.map { try open($0) }
      try stores[0].create(Card(id: "x"))
      try await stores[0].synchronize(.everywhere)
      for store in stores { try await eventually { (try? store.load("x")) != nil } }
      await engine.setFaults(20)
      let rounds = TestLength.isAtLeast(.standard) ? 60 : 20
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, store) in stores.enumerated() {
          group.addTask { [engine] in
            var random = SeededRandom(seed: UInt64(number))
            for round in 0..<rounds {
              try store.edit("x") { $0.marks["\(number)-\(round)"] = true }
              try store.create(Card(id: "\(number)-\(round)"))
              if round % 7 == 0 { await engine.compact() }
              try await Task.sleep(for: .milliseconds(Int.random(in: 0..<20, using: &random)))
            }
          }
        }
        try await group.waitForAll()
      }
      await engine.setFaults(0)
      for store in stores { try await store.synchronize(.everywhere) }
      _ = try await agreed(directories[0], directories[1], directories[2])
      #expect(try stores[0].load("x").marks.count == 3 * rounds)
      #expect(try stores[0].entries().count == 3 * rounds + 1)
    }
  }

  @Test("An engine that was replaced receives everything again")
  func anotherEngine() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let (one, two) = (try open(a), try open(b))
      try one.create(Card(id: "x", title: "1"))
      try await one.synchronize(.everywhere)
      _ = try await agreed(a, b)
      await engine.replace()
      try await eventually { await engineTexts.count == 1 }
      try two.edit("x") { $0.title = "2" }
      try await two.synchronize(.everywhere)
      _ = try await agreed(a, b)
      #expect(try one.load("x").title == "2")
    }
  }

  @Test("An engine that is another one has everything once it is synchronized")
  func anotherEngineAtFirst() async throws {
    try await withTemporaryDirectory { directory in
      var store: DocumentStore<Card>? = try open(directory)
      try store?.create(Card(id: "x", title: "1"))
      try await store?.synchronize(.everywhere)
      store = nil
      await engine.replace()
      await engine.setDelay(.milliseconds(20))
      let again = try open(directory)
      try await again.synchronize(.everywhere)
      #expect(await engineTexts.count == 1)
    }
  }

  @Test("An engine that is another one since has everything once it is synchronized")
  func anotherEngineMeanwhile() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try store.create(Card(id: "x", title: "1"))
      try await store.synchronize(.everywhere)
      await engine.setMute(true)
      await engine.replace()
      for await status in store.syncStatus where status.state != .current { break }
      try store.create(Card(id: "y", title: "1"))
      let opening = Task { [engine] in
        try await Task.sleep(for: .milliseconds(300))
        await engine.setMute(false)
      }
      try await store.synchronize(.everywhere)
      #expect(await engineTexts.count == 2)
      try await opening.value
    }
  }

  @Test("What another engine has in the place of a document is not taken for what it was made from")
  func sameRevisionElsewhere() async throws {
    try await withTemporaryDirectory { directory in
      var store: DocumentStore<Card>? = try open(directory)
      for await status in try #require(store).syncStatus where status.state == .current { break }
      await engine.put("x.card", try JSON.Encoder().encodeToBytes(Card(id: "x", title: "1")))
      try await eventually { try store?.ids() == ["x"] }
      try await store?.synchronize(.everywhere)
      store = nil
      try await eventually { await engine.connections == 0 }
      try open(directory, isShared: false).edit("x") { $0.title = "mine" }
      await engine.replace()
      await engine.put("x.card", try JSON.Encoder().encodeToBytes(Card(id: "x", title: "theirs")))
      await engine.setMute(true)
      let again = try open(directory)
      // It has asked for what is new, and is not answered.
      try await eventually { await engine.connections == 1 }
      try await Task.sleep(for: .milliseconds(50))
      #expect(await engine.model.changes.count == 1)
      await engine.setMute(false)
      try await again.synchronize(.everywhere)
      #expect(try titles(again).sorted() == ["mine", "theirs"])
    }
  }

  @Test("What another process has joined instead, and found missing there, each process follows")
  func indexOfAnotherProcess() async throws {
    try await withTemporaryDirectory { directory in
      let store = try open(directory)
      try store.create(Card(id: "x", title: "1"))
      try await store.synchronize(.everywhere)
      let index = try DocumentIndex(of: store.sharedDocuments { _ in .keepBoth })
      // It has found that this engine has lost the document.
      await engine.setSilent(true)
      await engine.put("x.card", nil)
      func lose(_ entry: DocumentIndex.Entry) -> DocumentIndex.Entry {
        var entry = entry
        entry.base?.revision = 0
        return entry
      }
      try index.update(cluster: "one", revision: await engine.model.revision) {
        ["x.card": lose($0["x.card"])]
      }
      try await eventually { await engineTexts.count == 1 }
      await engine.setSilent(false)
      // It has joined another one, and ended.
      try index.update(cluster: "three", revision: 5000)
      await engine.put("y.card", try JSON.Encoder().encodeToBytes(Card(id: "y")))
      try await eventually {
        try index.refresh()
        return index.log.cluster == "one"
      }
      try await eventually { try store.ids().sorted() == ["x", "y"] }
    }
  }

  @Test("To a live document with unsaved changes, those of other machines are a conflict")
  func live() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let (one, two) = (try open(a), try open(b))
      try one.create(Card(id: "x", title: "1", color: "red"))
      try await one.synchronize(.everywhere)
      _ = try await agreed(a, b)
      let live = try two.open("x")
      live.edit { $0.color = "blue" }
      try one.edit("x") { $0.title = "2" }
      try await eventually { live.conflict != nil }
      #expect(live.conflict?.overlaps.isEmpty == true)
      _ = try live.resolve(.merge)
      try await two.synchronize(.everywhere)
      _ = try await agreed(a, b)
      #expect(try one.load("x") == Card(id: "x", title: "2", color: "blue"))
    }
  }

  @Test("Two processes of a machine share what is known, and each synchronizes")
  func twoProcesses() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let (one, other) = (try open(a), try open(a))
      let two = try open(b)
      for number in 0..<10 {
        try one.create(Card(id: "one-\(number)"))
        try other.create(Card(id: "other-\(number)"))
        try await (number % 2 == 0 ? one : other).synchronize(.everywhere)
        #expect(await engineTexts.count == 2 * (number + 1))
      }
      _ = try await agreed(a, b)
      _ = two
    }
  }
}
