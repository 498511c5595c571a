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

@Suite("Assets with an engine", .timeLimit(.minutes(5)))
struct AssetSyncTests {
  struct Card: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var title = ""
    var pictures: [Asset] = []
  }

  private static func picture(_ length: Int) -> [UInt8] {
    Asset.ContentType.png.signatures[0].map { $0! } + (8..<length).map { UInt8($0 & 0xFF) }
  }

  // MARK: Stores

  private let engine = InMemoryEngine(limits: SyncLimits(writes: 4, length: 2000))

  private func open(
    _ directory: FilePath, timing: SyncTiming = .short,
    onProblem: (@Sendable (DocumentError) -> Void)? = nil
  ) throws -> DocumentStore<Card> {
    let store = try DocumentStore<Card>(
      directory: directory, pathExtension: "card", onProblem: onProblem)
    try store.share(through: engine, timing: timing)
    return store
  }

  @Test("Parts of an asset that nobody needs any more are removed, and nothing else")
  func partials() throws {
    try withTemporaryDirectory { directory in
      let store = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      let documents = try store.sharedDocuments { _ in .keepBoth }
      let exchange = try DocumentExchange(documents, limits: engine.limits, isAutomatic: false)
      let bases = try DocumentBases(of: documents)
      bases.keep([1], as: "x.card")
      try bases.partial(of: "a.png").append([1, 2], at: 0)
      try exchange.removePartialAssets(unchangedSince: 0)
      #expect(try bases.partial(of: "a.png").count == 2)
      try exchange.removePartialAssets(unchangedSince: .max)
      let left = try LocalFileSystem().contents(
        ofDirectory: documents.sharingDirectory.appending("card"))
      #expect(left == ["x.card"])
    }
  }

  @Test("A document arrives with its pictures, in the engine and on other machines")
  func arrival() async throws {
    try await withTemporaryDirectory { directory in
      let one = try open(directory.appending("a"))
      let pictures = try (0..<6).map { try one.addAsset(Self.picture(100 + 1000 * $0)) }
      try one.create(Card(id: "x", pictures: pictures))
      try one.create(Card(id: "y", title: "none"))
      try await one.synchronize(.everywhere)
      let changes = await engine.model.changes
      var known: Set<String> = []
      for change in changes {
        for (key, value) in change.writes {
          if let name = AssetManifest.name(of: key),
            AssetManifest(value.map { SyncItem(value: $0, revision: 1) })?.isWhole == true
          {
            known.insert(name)
          }
        }
        if change.writes[.value(Array("x.card".utf8))] != nil {
          #expect(known == Set(pictures.map(\.name)))
        }
      }
      await engine.setFaults(20)
      let two = try open(directory.appending("b"))
      try await eventually { try two.ids().contains("x") }
      for asset in pictures { #expect(try two.asset(asset) == one.asset(asset)) }
      let more = try two.addAsset(Self.picture(3333))
      try two.edit("x") { $0.pictures.append(more) }
      try await eventually { try one.load("x").pictures.contains(more) }
      #expect(try one.asset(more) == Self.picture(3333))
      try await eventually {
        let left = try LocalFileSystem().contents(
          ofDirectory: directory.appending("b").appending("Sharing").appending("card"))
        return left.sorted() == ["x.card", "y.card"]
      }
    }
  }

  @Test("A damaged document comes back with its pictures, also if they were taken for unused here")
  func damagedDocument() async throws {
    try await withTemporaryDirectory { directory in
      let one = try open(directory.appending("a"))
      let asset = try one.addAsset(Self.picture(3000))
      try one.create(Card(id: "x", pictures: [asset]))
      let b = directory.appending("b")
      let two = try open(b)
      try await eventually { try two.ids().contains("x") }
      try await two.synchronize(.everywhere)
      try LocalFileSystem().remove(two.path(of: asset))
      try LocalFileSystem().replaceFile(at: b.appending("x.card"), with: Array("{".utf8))
      #expect(throws: DocumentError.self) { try two.load("x") }
      try await eventually { try two.ids().contains("x") }
      #expect(try two.asset(asset) == one.asset(asset))
    }
  }

  @Test("A part that two processes have asked for at once is there once")
  func partTwice() throws {
    try withTemporaryDirectory { directory in
      let store = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      let partial = try DocumentBases(of: store.sharedDocuments { _ in .keepBoth })
        .partial(of: "a.png")
      for start in [0, 2] {
        for _ in 0..<2 { try partial.append([1, 2], at: start) }
      }
      #expect(try partial.content == [1, 2, 1, 2])
    }
  }

  @Test("An asset that cannot be read holds up no other document")
  func unreadableAsset() async throws {
    try await withTemporaryDirectory { directory in
      let store = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      let asset = try store.addAsset(Self.picture(100))
      let path = store.path(of: asset)
      let content = try LocalFileSystem().readFile(at: path)
      try store.create(Card(id: "x", pictures: [asset]))
      try LocalFileSystem().remove(path)
      try LocalFileSystem().createDirectory(path)
      try store.create(Card(id: "y"))
      try store.share(through: engine, timing: .short)
      let (x, y) = (Array("x.card".utf8), Array("y.card".utf8))
      try await eventually { await engine.model.values[y] != nil }
      #expect(await engine.model.values[x] == nil)
      try FileManager.default.removeItem(atPath: path.string)
      try LocalFileSystem().replaceFile(at: path, with: content ?? [])
      try await store.synchronize(.everywhere)
      #expect(await engine.model.values[x] != nil)
    }
  }

  @Test("While a picture is sent, what comes is received, also after commits of another process")
  func receivingWhileSending() async throws {
    try await withTemporaryDirectory { directory in
      var timing = SyncTiming.short
      (timing.answer, timing.resend, timing.silence) = (.seconds(60), .seconds(60), .seconds(60))
      let store = try open(directory, timing: timing)
      try await store.synchronize(.everywhere)
      let same = try DocumentStore<Card>(directory: directory, pathExtension: "card")
      let origin = try DocumentExchange(
        same.sharedDocuments { _ in .keepBoth }, limits: engine.limits, isAutomatic: false
      ).origin
      let (engine, key) = (engine, SyncKey(document: "y.card"))
      let text = try JSON.Encoder().encodeToBytes(Card(id: "y"))
      let chunks = Mutex(0)
      await engine.setBeforeCommit { commit in
        guard commit.writes.keys.contains(where: { if case .blob = $0 { true } else { false } })
        else { return }
        let number = chunks.withLock { number in
          number += 1
          return number
        }
        if number == 1 {
          for (key, value) in [(origin, [1]), (origin, [2]), (key, text)] {
            _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: [key: value]))
          }
        }
        for _ in 0..<60 where (try? same.ids().contains("y")) == false {
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
      let asset = try store.addAsset(Self.picture(30_000))
      try store.create(Card(id: "x", pictures: [asset]))
      try await eventually { try chunks.withLock { $0 == 30 } || same.ids().contains("y") }
      #expect(try same.ids().contains("y"))
      try await store.synchronize(.everywhere)
      #expect(await engine.model.values[Array("x.card".utf8)] != nil)
    }
  }

  @Test("An asset without content arrives, too")
  func emptyAsset() async throws {
    try await withTemporaryDirectory { directory in
      let type = Asset.ContentType(
        pathExtension: "txt", mimeType: "text/plain", signatures: [[]])
      var configuration = DocumentConfiguration()
      configuration.assetLimits.types = [type]
      let stores = try ["a", "b"].map { name in
        let store = try DocumentStore<Card>(
          directory: directory.appending(name), pathExtension: "card", configuration: configuration)
        try store.share(through: engine, timing: .short)
        return store
      }
      let asset = try stores[0].addAsset([UInt8]())
      try stores[0].create(Card(id: "x", pictures: [asset]))
      try await stores[0].synchronize(.everywhere)
      try await eventually { try stores[1].ids() == ["x"] }
      #expect(try stores[1].asset(asset) == [])
    }
  }

  @Test(
    "What an engine has of no document any more is removed after a day, and comes back when it is named again"
  )
  func collection() async throws {
    try await withTemporaryDirectory { directory in
      var timing = SyncTiming.short
      timing.collectionPause = .milliseconds(20)
      timing.unusedAssets = .seconds(1)
      let (one, two) = try (
        open(directory.appending("a"), timing: timing), open(directory.appending("b"))
      )
      let (kept, left) = try (one.addAsset(Self.picture(9000)), one.addAsset(Self.picture(9000)))
      try one.create(Card(id: "x", pictures: [kept, left]))
      try await one.synchronize(.everywhere)
      try await eventually { try two.ids() == ["x"] }
      try two.edit("x") { $0.pictures = [kept] }
      try await two.synchronize(.everywhere)
      func blobs(_ asset: Asset) async -> Int {
        await engine.model.items.keys.count {
          if case .blob(let name) = $0 { name.hasPrefix(asset.name) } else { false }
        }
      }
      try await eventually { await blobs(left) == 0 }
      #expect(await engine.model.items[AssetManifest.key(of: left.name)] == nil)
      #expect(await blobs(kept) == 9)
      try two.edit("x") { $0.pictures = [left] }
      try await two.synchronize(.everywhere)
      #expect(await blobs(left) == 9)
      try await eventually { await blobs(kept) == 0 }
      #expect(await blobs(left) == 9)
    }
  }

  @Test("A document whose picture is nowhere arrives without it, and says so")
  func missing() async throws {
    try await withTemporaryDirectory { directory in
      let problems = Mutex<[DocumentError]>([])
      let one = try open(directory.appending("a"))
      let asset = try one.addAsset(Self.picture(5000))
      try one.create(Card(id: "x", pictures: [asset]))
      try await one.synchronize(.everywhere)
      // A part of it is lost.
      _ = try await engine.perform(
        SyncCommit(conditions: [:], writes: [AssetManifest.chunkKey(2, of: asset.name): nil]))
      let two = try open(
        directory.appending("b"), onProblem: { problem in problems.withLock { $0.append(problem) } }
      )
      try await eventually { try two.ids() == ["x"] }
      try await eventually {
        problems.withLock { $0 }.contains { "\($0)".contains("lacks a part") }
      }
      #expect(throws: DocumentError.self) { try two.asset(asset) }
    }
  }

  @Test(
    "A picture that a program is still copying is sent once it is whole", arguments: [false, true])
  func slowCopy(comesLater: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let source = try DocumentStore<Card>(
        directory: directory.appending("source"), pathExtension: "card")
      let content = Self.picture(4000)
      let picture = try source.addAsset(content)
      try source.create(Card(id: "x", pictures: [picture]))
      let (one, two) = (try open(a), try open(b))
      let text = try LocalFileSystem().readFile(
        at: directory.appending("source").appending("x.card"))
      if comesLater {
        try LocalFileSystem().replaceFile(at: a.appending("x.card"), with: try #require(text))
        try await one.synchronize(.everywhere)
      }
      var last = ContinuousClock.now
      var longestPause = Duration.zero
      func copy(_ count: Int) throws {
        longestPause = max(longestPause, .now - last)
        last = .now
        try LocalFileSystem().replaceFile(
          at: a.appending(picture.name), with: Array(content.prefix(count)))
      }
      try copy(400)
      if !comesLater {
        try LocalFileSystem().replaceFile(at: a.appending("x.card"), with: try #require(text))
      }
      for part in 2...10 {
        try await Task.sleep(for: .milliseconds(300))
        try copy(part * 400)
      }
      // On a machine that stood still, it looked whole before it was.
      if longestPause > .seconds(1) { return }
      try await eventually { (try? two.asset(picture)) == content }
      try await one.synchronize(.everywhere)
    }
  }

  @Test("A picture that a program writes after the document that names it arrives, too")
  func laterAsset() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let source = try DocumentStore<Card>(
        directory: directory.appending("source"), pathExtension: "card")
      let pictures = try [100, 200, 300].map { try source.addAsset(Self.picture($0)) }
      try source.create(Card(id: "x", pictures: pictures))
      func copy(_ name: String) throws {
        let file = try LocalFileSystem().readFile(at: directory.appending("source").appending(name))
        try LocalFileSystem().replaceFile(at: a.appending(name), with: try #require(file))
      }
      var (one, two) = (try open(a), try open(b))
      try copy(pictures[0].name)
      try copy("x.card")
      try await one.synchronize(.everywhere)
      try await eventually { try two.ids() == ["x"] }
      #expect(throws: DocumentError.self) { try two.asset(pictures[1]) }
      try copy(pictures[1].name)
      try await eventually { (try? two.asset(pictures[1])) == Self.picture(200) }
      try await one.synchronize(.everywhere)
      // What is still missing is not sent again and again.
      let revision = await engine.model.revision
      try await Task.sleep(for: .milliseconds(200))
      #expect(await engine.model.revision == revision)
      // It is also known after a restart, and when the document was changed.
      try one.edit("x") { $0.title = "2" }
      try await one.synchronize(.everywhere)
      one = try open(a)
      try copy(pictures[2].name)
      try await eventually { (try? two.asset(pictures[2])) == Self.picture(300) }
      two = try open(b)
      try await eventually { try two.load("x").title == "2" && two.ids() == ["x"] }
      #expect(try one.ids() == ["x"])
    }
  }

  @Test("Who was away for long reads what there is now, whose pictures the engine still has")
  func away() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b) = (directory.appending("a"), directory.appending("b"))
      let one = try open(a)
      try one.create(Card(id: "x", title: "1"))
      try await one.synchronize(.everywhere)
      do {
        let two = try open(b)
        try await eventually { try two.ids() == ["x"] }
        try await eventually { await engine.connections == 2 }
      }
      try await eventually { await engine.connections == 1 }
      try DocumentStore<Card>(directory: b, pathExtension: "card").edit("x") { $0.title = "2" }
      // Meanwhile a picture comes and goes.
      let asset = try one.addAsset(Self.picture(500))
      try one.edit("x") { ($0.title, $0.pictures) = ("3", [asset]) }
      try await one.synchronize(.everywhere)
      try one.edit("x") { ($0.title, $0.pictures) = ("1", []) }
      try await one.synchronize(.everywhere)
      let keys = await engine.model.items.keys.filter { key in
        key == AssetManifest.key(of: asset.name) || key.isBlob
      }
      let removal = Dictionary(uniqueKeysWithValues: keys.map { ($0, [UInt8]?.none) })
      #expect(removal.count == 2)
      _ = await engine.performElsewhere(SyncCommit(conditions: [:], writes: removal))
      let two = try open(b)
      try await two.synchronize(.everywhere)
      try await eventually { try one.load("x").title == "2" }
      #expect(try one.ids() == ["x"] && two.ids() == ["x"])
    }
  }

  @Test(
    "A picture that is removed here while others of its document are fetched is fetched again",
    arguments: [false, true], [false, true])
  func removedMeanwhile(joins: Bool, failsThen: Bool) async throws {
    try await withTemporaryDirectory { directory in
      var timing = SyncTiming.short
      timing.resend = .seconds(60)
      let one = try open(directory.appending("a"))
      var two = joins ? nil : try open(directory.appending("b"), timing: timing)
      try await two?.synchronize(.everywhere)
      let (first, second) = try (one.addAsset(Self.picture(100)), one.addAsset(Self.picture(200)))
      let isHeld = Mutex(true)
      let fetches = Mutex(0)
      await engine.setBeforeCommit { commit throws(SyncError) in
        guard commit.writes.isEmpty else { return }
        if commit.conditions[AssetManifest.chunkKey(0, of: second.name)] != nil {
          while isHeld.withLock({ $0 }), !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(1))
          }
        }
        if commit.conditions[AssetManifest.chunkKey(0, of: first.name)] != nil {
          let count = fetches.withLock {
            $0 += 1
            return $0
          }
          if failsThen, count == 2 { throw .unreachable("The request was lost.") }
        }
      }
      try one.create(Card(id: "x", pictures: [first, second]))
      try await one.synchronize(.everywhere)
      if joins { two = try open(directory.appending("b"), timing: timing) }
      let store = try #require(two)
      try await eventually { (try? store.asset(first)) != nil }
      try LocalFileSystem().remove(store.path(of: first))
      isHeld.withLock { $0 = false }
      try await eventually { try store.ids() == ["x"] }
      try await eventually { (try? store.asset(first)) == Self.picture(100) }
      #expect(try store.asset(second) == Self.picture(200))
    }
  }

  // MARK: Steps

  private let limits = SyncLimits(writes: 3, length: 1000)

  private func sending(_ content: [UInt8]?) -> AssetSending {
    AssetSending("a", content: content, limits: limits, chunkLength: 10)
  }

  private func content(_ model: EngineModel) -> [UInt8]? {
    guard let manifest = AssetManifest(model.items[AssetManifest.key(of: "a")]), manifest.isWhole
    else { return nil }
    return (0..<manifest.wholeCount).flatMap {
      model.items[AssetManifest.chunkKey($0, of: "a")]?.value ?? []
    }
  }

  @Test("What was interrupted is continued, and no chunk is sent twice")
  func interruption() throws {
    var model = EngineModel(cluster: "one")
    let content = Self.picture(95)
    var commits = 0
    while self.content(model) == nil {
      // Each time, the answer to the second commit is lost.
      var sending = sending(content)
      for _ in 0..<2 {
        let commit = try #require(try sending.nextCommit())
        let result = model.perform(commit)
        if case .committed = result { commits += 1 }
        sending.take(result)
      }
    }
    #expect(self.content(model) == content)
    #expect(commits == 10)
  }

  @Test("Two send the same asset together, and what has another content replaces what is not whole")
  func together() throws {
    var model = EngineModel(cluster: "one")
    var other = sending(Self.picture(50))
    for _ in 0..<3 { other.take(model.perform(try #require(try other.nextCommit()))) }
    let content = Self.picture(95)
    var both = [sending(content), sending(content)]
    var isDone = false
    while !isDone {
      isDone = true
      for place in both.indices {
        if let commit = try both[place].nextCommit() {
          isDone = false
          both[place].take(model.perform(commit))
        }
      }
    }
    #expect(self.content(model) == content)
    // Who comes later leaves what is whole.
    while let commit = try other.nextCommit() { other.take(model.perform(commit)) }
    var none = sending(nil)
    while let commit = try none.nextCommit() { none.take(model.perform(commit)) }
    #expect(self.content(model) == content)
    #expect(model.items.keys.count(where: \.isBlob) == 10)
  }

  @Test("What was fetched in part is continued, and what was torn is fetched again")
  func fetching() throws {
    let disk = SimulatedDisk()
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk)
    let exchange = try DocumentExchange(
      store.sharedDocuments { _ in .keepBoth }, limits: limits, isAutomatic: false)
    var model = EngineModel(cluster: "one")
    let content = Self.picture(95)
    var sending = sending(content)
    while let commit = try sending.nextCommit() { sending.take(model.perform(commit)) }
    let partial = FilePath("/documents/Sharing/card/a")
    for part in [[], Array(content[..<35]), [1] + content[1..<30], content + [1]] {
      try? disk.remove(partial)
      try? disk.remove("/documents/a")
      try disk.replaceFile(at: partial, with: part)
      var fetching = exchange.fetching(of: "a")
      var commits = 0
      while let commit = try fetching.nextCommit() {
        try fetching.take(model.perform(commit))
        commits += 1
      }
      #expect(disk.files["/documents/a"] == content && disk.files[partial] == nil)
      if part.count == 35 { #expect(commits == 8) }
    }
  }

  @Test("A chunk of another length than the manifest says is not asked for again and again")
  func chunkLengths() throws {
    let disk = SimulatedDisk()
    let problems = Mutex<[DocumentError]>([])
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk,
      onProblem: { problem in problems.withLock { $0.append(problem) } })
    let exchange = try DocumentExchange(
      store.sharedDocuments { _ in .keepBoth }, limits: limits, isAutomatic: false)
    for (number, length) in [(0, 0), (3, 9), (3, 11), (9, 4), (9, 6)] {
      var model = EngineModel(cluster: "one")
      var sending = sending(Self.picture(95))
      while let commit = try sending.nextCommit() { sending.take(model.perform(commit)) }
      let chunk = [UInt8](repeating: 1, count: length)
      _ = model.perform(
        SyncCommit(conditions: [:], writes: [AssetManifest.chunkKey(number, of: "a"): chunk]))
      var fetching = exchange.fetching(of: "a")
      var commits = 0
      while commits < 100, let commit = try fetching.nextCommit() {
        try fetching.take(model.perform(commit))
        commits += 1
      }
      #expect(commits < 20 && disk.files["/documents/a"] == nil)
      #expect(disk.files["/documents/Sharing/card/a"] == nil)
    }
  }

  @Test("What somebody else wrote as a manifest is replaced, and ends no program")
  func foreignManifests() throws {
    let max = Int.max
    for (length, chunkLength, count, since) in [
      (95, 10, 99, 0), (1, max, 0, 0), (max, 1, 0, 0), (95, 0, 0, 0), (95, 10, -1, 0),
      (95, 10, 10, Int.min),
    ] {
      let content = Self.picture(95)
      var manifest = AssetManifest(of: content, chunkLength: 10)
      (manifest.length, manifest.chunkLength) = (length, chunkLength)
      (manifest.chunkCount, manifest.unusedSince) = (count, since)
      var model = EngineModel(cluster: "one")
      _ = model.perform(
        SyncCommit(
          conditions: [:],
          writes: [
            AssetManifest.key(of: "a"): try manifest.bytes,
            AssetCollection.key: Array("\(Int.min)".utf8),
          ]))
      let race = try Race(limits: limits)
      let collection = AssetCollection(interval: 1, now: 100)
      let work = try collection.work(
        on: model.snapshot, for: race.exchange.documents, limits: limits)
      #expect(work.notes.isEmpty && work.removals.isEmpty)
      #expect(collection.beginning(after: model.items[AssetCollection.key]) != nil)
      var sending = sending(content)
      while let commit = try sending.nextCommit() { sending.take(model.perform(commit)) }
      #expect(self.content(model) == content)
    }
  }

  @Test("An asset that several documents name is in use")
  func sharedAssets() throws {
    let race = try Race(limits: limits)
    var model = race.model
    var manifest = AssetManifest(of: [1], chunkLength: 16)
    manifest.unusedSince = 1
    _ = model.perform(
      SyncCommit(conditions: [:], writes: [AssetManifest.key(of: "other"): try manifest.bytes]))
    let text = try JSON.Encoder().encodeToBytes(Card(id: "y", pictures: [race.asset]))
    // As a person puts them.
    for name in ["y.card", "z.card"] {
      _ = model.perform(
        SyncCommit(conditions: [:], writes: [.value(Array(name.utf8)): text]))
    }
    let work = try race.collection.work(
      on: model.snapshot, for: race.exchange.documents, limits: limits)
    #expect(work.notes.count == 1 && work.removals.count == 1)
  }

  @Test("What is not of the type that its name says is not taken")
  func wrongType() throws {
    let disk = SimulatedDisk()
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk, onProblem: { _ in })
    let exchange = try DocumentExchange(
      store.sharedDocuments { _ in .keepBoth }, limits: limits, isAutomatic: false)
    var model = EngineModel(cluster: "one")
    let name = "\(UUID().uuidString).png"
    var sending = AssetSending(
      name, content: Array("<html>".utf8), limits: limits, chunkLength: 10)
    while let commit = try sending.nextCommit() { sending.take(model.perform(commit)) }
    var fetching = exchange.fetching(of: name)
    while let commit = try fetching.nextCommit() { try fetching.take(model.perform(commit)) }
    #expect(disk.files.keys.allSatisfy { $0.lastComponent?.string != name })
  }

  /// A machine that names an unused asset again while another one collects assets.
  private struct Race {
    var model = EngineModel(cluster: "one")
    let store: DocumentStore<Card>
    let exchange: DocumentExchange
    let asset: Asset
    var request: (batch: DocumentExchange.Batch, sending: AssetSending)?
    var snapshot: SyncSnapshot?
    var removals: [AssetRemoval]?
    let collection = AssetCollection(interval: 5, now: 100)

    init(limits: SyncLimits) throws {
      store = try DocumentStore<Card>(
        directory: "/documents", pathExtension: "card", fileSystem: SimulatedDisk())
      exchange = try DocumentExchange(
        store.sharedDocuments { _ in .keepBoth }, limits: limits, chunkLength: 16,
        isAutomatic: false)
      asset = try store.addAsset(AssetSyncTests.picture(50))
      try exchange.take(model.snapshot, askedFor: exchange.index.position)
      try store.create(Card(id: "x", pictures: [asset]))
      while try send() {}
      try store.edit("x") { $0.pictures = [] }
      while try send() {}
      let key = AssetManifest.key(of: asset.name)
      var manifest = try #require(AssetManifest(model.items[key]))
      manifest.unusedSince = 1
      _ = model.perform(SyncCommit(conditions: [:], writes: [key: try manifest.bytes]))
      try store.edit("x") { $0.pictures = [asset] }
    }

    /// - Returns: False if nothing is left to send.
    mutating func send() throws -> Bool {
      if let (batch, sending) = request {
        var sending = sending
        if !batch.assets.isEmpty, let commit = try sending.nextCommit() {
          sending.take(model.perform(commit))
          request = (batch, sending)
        } else {
          request = nil
          _ = try exchange.take(model.perform(batch.commit), for: batch)
        }
        return true
      }
      try exchange.scan()
      guard let batch = try exchange.nextBatch() else { return false }
      request = (batch, try exchange.sending(of: asset.name))
      return true
    }

    /// - Returns: False if nothing is left to remove.
    mutating func collect() throws -> Bool {
      if var found = removals {
        guard var removal = found.popLast() else { return false }
        if let commit = try removal.nextCommit() {
          removal.take(model.perform(commit))
          found.append(removal)
        }
        removals = found
      } else if let snapshot {
        let work = try collection.work(
          on: snapshot, for: exchange.documents, limits: exchange.limits)
        for note in work.notes { _ = model.perform(note) }
        removals = work.removals
      } else if model.items[AssetCollection.key] == nil {
        _ = model.perform(try #require(collection.beginning(after: nil)))
      } else {
        snapshot = model.snapshot
      }
      return true
    }

    /// Whether the engine has the asset, if the document in it names it.
    var isWhole: Bool {
      let text = model.items[.value(Array("x.card".utf8))]?.value ?? []
      guard exchange.documents.assets(in: text, ofAnyType: false).contains(asset.name) else {
        return true
      }
      guard let manifest = AssetManifest(model.items[AssetManifest.key(of: asset.name)]) else {
        return false
      }
      return manifest.isWhole
        && (0..<manifest.wholeCount).allSatisfy {
          model.items[AssetManifest.chunkKey($0, of: asset.name)] != nil
        }
    }
  }

  @Test("In any order of their steps, what a document names again is not removed")
  func race() throws {
    let limits = SyncLimits(writes: 3, length: 10000)
    var removedCount = 0
    for order in 0..<(1 << 9) {
      var race = try Race(limits: limits)
      for step in 0..<9 {
        if order >> step & 1 == 0 { _ = try race.send() } else { _ = try race.collect() }
        let isWhole = race.isWhole
        #expect(isWhole, "order \(order), step \(step)")
      }
      if race.model.items[AssetManifest.key(of: race.asset.name)] == nil { removedCount += 1 }
      while try race.collect() {}
      while try race.send() {}
      let isWhole = race.isWhole
      #expect(isWhole, "order \(order)")
      #expect(try race.store.load("x").pictures == [race.asset])
    }
    #expect(removedCount > 0)
  }
}
