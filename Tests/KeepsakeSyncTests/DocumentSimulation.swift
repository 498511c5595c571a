import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting
import SystemPackage

@testable import KeepsakeSync

/// Members that change, exchange and merge documents with pictures through an engine, whose disks lose power, and
/// whose network loses, delays and repeats.
final class DocumentSimulation {
  struct Card: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var title = ""
    var marks: [String: Bool] = [:]
    var pictures: [String: Asset] = [:]
  }

  /// A process of one of the machines.
  private struct Member {
    var machine: Int
    var store: DocumentStore<Card>
    var exchange: DocumentExchange
    /// A commit without an answer, or with one that has not arrived, and the assets that are to be sent before.
    var request:
      (batch: DocumentExchange.Batch, assets: [AssetSending], answer: SyncCommit.Result?)?
    /// Up to where an open connection has brought what the engine has.
    var position: UInt64?
    var mustRead = false
    var refusedThrough: UInt64?
  }

  /// Who removes what no document names.
  private struct Collector {
    var collection: AssetCollection
    var snapshot: SyncSnapshot?
    var work: (notes: [SyncCommit], removals: [AssetRemoval])?
  }

  private static let limits = SyncLimits(writes: 3, length: 100_000)
  private static let chunkLength = 16
  private var random: SeededRandom
  /// Whether members also make changes that exclude each other, remove documents and lose power, and the engine forgets
  /// commits: a power cut may take what changes are merged with, and whether a commit was made may be among what is
  /// forgotten. Then both are kept.
  private let excludes: Bool
  /// Whether most changes are about pictures, which are often collected.
  private let hasManyPictures: Bool
  private var disks: [SimulatedDisk] = []
  private var members: [Member] = []
  private var engine = EngineModel(cluster: "one")
  /// Commits that may be performed once more.
  private var copies: [SyncCommit] = []
  private var collectors: [Collector] = []
  private var time = 0
  /// The pictures' contents, by their names.
  private var pictures: [String: [UInt8]] = [:]
  /// Those that a member named and did not have.
  private var lacking: Set<String> = []
  private var number = 0
  private var created: Set<String> = []
  private var removed: Set<String> = []
  private var marks: [String: Set<String>] = [:]
  /// Those of documents that were removed, also of copies.
  private var removedMarks: Set<String> = []
  private var isSettling = false
  private(set) var faults: [String] = []

  init(seed: UInt64, excludes: Bool) throws {
    random = SeededRandom(seed: seed)
    self.excludes = excludes
    hasManyPictures = seed % 4 > 1
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      disks.append(SimulatedDisk())
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        members.append(try member(of: disks.count - 1))
      }
    }
  }

  private func member(of machine: Int) throws -> Member {
    let disk = disks[machine]
    let store = try DocumentStore<Card>(
      directory: "/documents", pathExtension: "card", fileSystem: disk, onProblem: { _ in })
    let exchange = try DocumentExchange(
      store.sharedDocuments { _ in .keepBoth }, limits: Self.limits, chunkLength: Self.chunkLength,
      isAutomatic: false)
    return Member(machine: machine, store: store, exchange: exchange)
  }

  func run(steps: Int) async throws {
    for _ in 0..<steps {
      let place = Int.random(in: 0..<members.count, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<20: try change(place)
      case 20..<40: try send(place)
      case 40..<55: try perform(place)
      case 55..<65: try answer(place)
      case 65..<82: try follow(place)
      case 82..<90:
        for _ in 0..<(hasManyPictures ? 3 : 1) { try collect(place) }
      case 90..<93: members[place].position = nil
      case 93..<95: members[place] = try member(of: members[place].machine)
      case 95..<97 where excludes: try await cutPower(members[place].machine)
      case 97 where excludes: engine.compacted = engine.revision
      case 98: _ = members[place].exchange.keepSomeBases()
      default:
        if let copy = copies.randomElement(using: &random) { _ = perform(copy) }
      }
    }
  }

  private func change(_ place: Int) throws {
    let store = members[place].store
    number += 1
    let ids = try store.ids()
    guard let id = ids.randomElement(using: &random),
      Int.random(in: 0..<(hasManyPictures ? 12 : 4), using: &random) > 0
    else {
      created.insert("d\(number)")
      return try store.create(Card(id: "d\(number)"))
    }
    let kinds = hasManyPictures ? 3..<8 : excludes ? 0..<10 : 3..<10
    let kind = Int.random(in: kinds, using: &random)
    switch kind {
    case 0:
      removedMarks.formUnion(try store.load(id).marks.keys)
      try store.remove(id)
      removed.insert(id)
    case 1: try store.edit(id) { $0.title = "\(number)" }
    case 2:
      if let removed = try store.removed().randomElement(using: &random),
        try !store.ids().contains(removed.id)
      {
        try store.restore(removed)
      }
    case 3:
      // One that some document named before, or another does.
      let names = pictures.keys.sorted()
      if let name = names.randomElement(using: &random), let asset = Asset(name: name),
        try members[place].exchange.documents.hasAsset(name)
      {
        try store.edit(id) { $0.pictures["\(number)"] = asset }
      }
    case 4, 5:
      let content =
        Asset.ContentType.png.signatures[0].map { $0! }
        + (0..<Int.random(in: 0..<60, using: &random)).map { UInt8($0) }
      let asset = try store.addAsset(content)
      pictures[asset.name] = content
      try store.edit(id) { $0.pictures["\(number)"] = asset }
    case 6, 7:
      let pictures = try store.load(id).pictures.sorted { $0.key < $1.key }
      let picture = pictures.randomElement(using: &random)
      try store.edit(id) { document in
        if let picture { document.pictures[picture.key] = nil }
      }
    default:
      try store.edit(id) { $0.marks["\(number)"] = true }
      marks[id, default: []].insert("\(number)")
    }
  }

  private func send(_ place: Int) throws {
    guard members[place].request == nil, members[place].exchange.index.log.cluster != nil else {
      return
    }
    let exchange = members[place].exchange
    _ = try exchange.look()
    if let batch = try exchange.nextBatch() {
      for asset in batch.assets where try !exchange.documents.hasAsset(asset) {
        lacking.insert(asset)
      }
      let assets = try batch.assets.sorted().map { try exchange.sending(of: $0) }
      members[place].request = (batch, assets, nil)
    }
  }

  private func perform(_ place: Int, isSure: Bool = false) throws {
    guard let request = members[place].request, request.answer == nil else { return }
    var (assets, commit) = (request.assets, request.batch.commit)
    if !assets.isEmpty {
      guard let next = try assets[0].nextCommit() else {
        members[place].request?.assets.removeFirst()
        return
      }
      commit = next
    }
    copies.append(commit)
    if copies.count > 5 { copies.removeFirst() }
    if !isSure, Int.random(in: 0..<5, using: &random) == 0 { return giveUp(place) }
    let answer = perform(commit)
    if assets.isEmpty {
      members[place].request?.answer = answer
    } else if !isSure, Int.random(in: 0..<5, using: &random) == 0 {
      giveUp(place)
    } else {
      assets[0].take(answer)
      members[place].request?.assets = assets
    }
  }

  /// Performs a commit, and checks that the engine has what documents name.
  private func perform(_ commit: SyncCommit) -> SyncCommit.Result {
    let result = engine.perform(commit)
    for (key, text) in engine.values where key.ends(with: ".card".utf8) {
      guard let card = try? JSON.Decoder().decode(Card.self, from: text) else { continue }
      for asset in card.pictures.values where !lacking.contains(asset.name) {
        let manifest = AssetManifest(engine.items[AssetManifest.key(of: asset.name)])
        var content: [UInt8] = []
        for number in 0..<(manifest?.wholeCount ?? 0) {
          content += engine.items[AssetManifest.chunkKey(number, of: asset.name)]?.value ?? []
        }
        if manifest?.isWhole != true || content != pictures[asset.name] {
          faults.append("at \(engine.revision), \(card.id) names an asset that is not there")
        }
      }
    }
    return result
  }

  /// Goes on to remove what no document names, or begins to.
  private func collect(_ place: Int) throws {
    guard collectors.count == 2 || Bool.random(using: &random), var collector = collectors.popLast()
    else {
      time += 1
      let collection = AssetCollection(interval: 1, now: time)
      if let commit = collection.beginning(after: engine.items[AssetCollection.key]),
        case .committed = perform(commit)
      {
        collectors.append(Collector(collection: collection))
      }
      return
    }
    if let snapshot = collector.snapshot {
      var work =
        try collector.work
        ?? collector.collection.work(
          on: snapshot, for: members[place].exchange.documents, limits: Self.limits)
      if let note = work.notes.popLast() {
        _ = perform(note)
      } else if var removal = work.removals.popLast(), let commit = try removal.nextCommit() {
        copies.append(commit)
        removal.take(perform(commit))
        work.removals.append(removal)
      }
      collector.work = work
      if work.notes.isEmpty, work.removals.isEmpty { return }
    } else {
      collector.snapshot = engine.snapshot
    }
    collectors.insert(collector, at: 0)
  }

  /// Loses a request, or its answer.
  private func giveUp(_ place: Int) {
    guard let request = members[place].request else { return }
    members[place].request = nil
    members[place].exchange.sendAgain(request.batch)
  }

  private func answer(_ place: Int, isSure: Bool = false) throws {
    guard let request = members[place].request, let answer = request.answer else { return }
    if !isSure, Int.random(in: 0..<5, using: &random) == 0 { return giveUp(place) }
    members[place].request = nil
    if try members[place].exchange.take(answer, for: request.batch) {
      members[place].refusedThrough = engine.revision
      checkRefused(place)
    }
  }

  private func checkRefused(_ place: Int) {
    let exchange = members[place].exchange
    guard exchange.lacksRefused(through: &members[place].refusedThrough) else { return }
    members[place].mustRead = true
    members[place].position = nil
  }

  private func follow(_ place: Int) throws {
    let exchange = members[place].exchange
    guard let position = members[place].position, position >= engine.compacted else {
      let log = exchange.index.log
      if members[place].mustRead || log.cluster == nil || log.doubt != nil
        || log.revision < engine.compacted
      {
        let snapshot = engine.snapshot
        guard try fetch(try exchange.missingAssets(in: snapshot), place) else { return }
        try exchange.take(snapshot, askedFor: log)
        members[place].mustRead = false
      }
      members[place].refusedThrough = nil
      exchange.sendRefusedAgain()
      _ = try exchange.look()
      members[place].position = exchange.index.log.revision
      return
    }
    guard let change = engine.changes.first(where: { $0.revision > position }) else { return }
    guard try fetch(try exchange.missingAssets(in: change), place) else { return }
    try exchange.take(change)
    members[place].position = change.revision
    checkRefused(place)
  }

  /// - Returns: False if it was interrupted.
  private func fetch(_ assets: [String], _ place: Int) throws -> Bool {
    for asset in assets {
      var fetching = members[place].exchange.fetching(of: asset)
      while let commit = try fetching.nextCommit() {
        if !isSettling, Int.random(in: 0..<10, using: &random) == 0 { return false }
        try fetching.take(engine.perform(commit))
      }
    }
    return true
  }

  private func cutPower(_ machine: Int) async throws {
    let seed = UInt64.random(in: 0 ... .max, using: &random)
    let left = await disks[machine].statesAfterPowerCut(samples: 4, seed: seed)
    guard let disk = left.randomElement(using: &random) else { return }
    disks[machine] = disk
    for place in members.indices where members[place].machine == machine {
      members[place] = try member(of: machine)
    }
  }

  /// Lets all that is on its way arrive, and checks what there is then.
  func settle() throws {
    isSettling = true
    for _ in 0..<100 {
      let before = engine.revision
      for place in members.indices {
        giveUp(place)
        try follow(place)
        while (members[place].position ?? 0) < engine.revision { try follow(place) }
        try send(place)
        while members[place].request?.assets.isEmpty == false {
          try perform(place, isSure: true)
        }
        try perform(place, isSure: true)
        try answer(place, isSure: true)
      }
      let isQuiet = members.allSatisfy {
        $0.exchange.waitingCount == 0 && ($0.position ?? 0) >= engine.revision
      }
      if engine.revision == before, isQuiet { return check() }
    }
    faults.append("they never agree")
  }

  private func check() {
    for (place, disk) in disks.enumerated() {
      let values = engine.values.filter { $0.key.ends(with: ".card".utf8) }
      var texts: [[UInt8]: [UInt8]] = [:]
      for (path, bytes) in disk.files where path.removingLastComponent() == "/documents" {
        if path.extension == "card", let name = path.lastComponent {
          texts[Array(name.string.utf8)] = bytes
        }
      }
      if texts != values { faults.append("machine \(place) has other documents") }
      for text in texts.values {
        guard let card = try? JSON.Decoder().decode(Card.self, from: text) else { continue }
        for name in card.pictures.values.map(\.name) where !lacking.contains(name) {
          if disk.files[FilePath("/documents").appending(name)] != pictures[name] {
            faults.append("machine \(place) lacks a picture of \(card.id)")
          }
        }
      }
    }
    var found: [String: Set<String>] = [:]
    var all: Set<String> = []
    for (key, text) in engine.values where key.ends(with: ".card".utf8) {
      guard let card = try? JSON.Decoder().decode(Card.self, from: text) else {
        faults.append("a document is none")
        continue
      }
      found[card.id] = Set(card.marks.keys)
      all.formUnion(card.marks.keys)
    }
    if !excludes, Set(found.keys) != created {
      faults.append("there are \(found.keys.sorted()), and \(created.sorted()) were made")
    }
    for (id, marks) in marks where !removed.contains(id) {
      let missing = marks.subtracting(excludes ? all.union(removedMarks) : found[id] ?? [])
      if !missing.isEmpty { faults.append("\(id) lacks \(missing.sorted())") }
    }
    for id in created.subtracting(removed) where found[id] == nil { faults.append("\(id) is lost") }
  }
}

extension [UInt8] {
  fileprivate func ends(with suffix: String.UTF8View) -> Bool {
    self.suffix(suffix.count).elementsEqual(suffix)
  }
}
