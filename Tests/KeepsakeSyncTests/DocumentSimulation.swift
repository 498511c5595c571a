import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting
import SystemPackage

@testable import KeepsakeSync

/// Members that change, exchange and merge documents with pictures through an engine, and whose network loses, delays
/// and repeats.
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
    var request: Request?
    var connection: Connection?
    var mustRead = false
    var refusedThrough: UInt64?
  }

  /// A commit without an answer, or with one that has not arrived.
  private struct Request {
    var batch: DocumentExchange.Batch
    /// The assets that are to be sent before.
    var assets: [(name: String, sending: AssetSending)]
    var answer: SyncCommit.Result?
  }

  /// One that brings what an engine is given.
  private struct Connection {
    /// The place of that engine.
    var engine: Int
    /// What the index was about when it last brought something.
    var met: SyncPosition
    var position: UInt64
  }

  /// Who removes what no document names.
  private struct Collector {
    var collection: AssetCollection
    var snapshot: SyncSnapshot?
    var work: (notes: [SyncCommit], removals: [AssetRemoval])?
  }

  /// What also happens now and then.
  struct Events: OptionSet {
    let rawValue: Int

    /// Members also make changes that exclude each other, remove documents and lose power, and the engine forgets
    /// commits: a power cut may take what changes are merged with, and whether a commit was made may be among what is
    /// forgotten. Then both are kept.
    static let exclusions = Self(rawValue: 1)
    /// Most changes are about pictures, which are often collected.
    static let manyPictures = Self(rawValue: 2)
    /// Another engine takes the place of the engine, or it is set back.
    static let otherEngines = Self(rawValue: 4)
    /// An empty directory, or a backup, is put in the place of a machine's documents.
    static let otherDirectories = Self(rawValue: 8)
  }

  private static let limits = SyncLimits(writes: 3, length: 100_000)
  private static let chunkLength = 16
  private var random: SeededRandom
  private let events: Events
  private var disks: [SimulatedDisk] = []
  private var members: [Member] = []
  /// By machine, what the files were at some time.
  private var backups: [Int: [FilePath: [UInt8]]] = [:]
  /// Each has taken the place of the one before it.
  private var engines = [EngineModel(cluster: "one")]
  private var engine: EngineModel {
    get { engines[engines.count - 1] }
    set { engines[engines.count - 1] = newValue }
  }
  /// Up to which revision a standby of the engine has everything: commits beyond are seen, and not acknowledged.
  private var replicated: UInt64 = 0
  /// Whether the standby is there.
  private var isReplicating = true
  /// Commits that may be performed once more.
  private var copies: [SyncCommit] = []
  private var collectors: [Collector] = []
  private var time = 0
  /// The pictures' contents, by their names.
  private var pictures: [String: [UInt8]] = [:]
  /// The names in the order in which they were made: they are random, and a seed is to decide which is taken.
  private var pictureNames: [String] = []
  /// Those that a member named and did not have.
  private var lacking: Set<String> = []
  private var number = 0
  private var places: [String: Int] = [:]
  private var created: Set<String> = []
  private var removed: Set<String> = []
  private var marks: [String: Set<String>] = [:]
  /// Those of documents that were removed, also of copies.
  private var removedMarks: Set<String> = []
  private var isSettling = false
  private(set) var faults: [String] = []

  init(seed: UInt64, events: Events) throws {
    random = SeededRandom(seed: seed)
    self.events = events
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

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  func run(steps: Int) async throws {
    for step in 0..<steps {
      if events.contains(.otherEngines), chance(1) { try changeEngine() }
      if chance(isReplicating ? 1 : 2) { isReplicating.toggle() }
      let place = Int.random(in: 0..<members.count, using: &random)
      let machine = members[place].machine
      if events.contains(.otherDirectories) {
        if chance(3) {
          backups[machine] = disks[machine].files.filter { $0.key.starts(with: "/documents") }
        }
        if chance(1) { try replaceDirectory(machine) }
      }
      switch Int.random(in: 0..<100, using: &random) {
      // Now and then, all that was changed can be sent.
      case 0..<20: if step % 50 < 25 { try change(place) }
      case 20..<40: try send(place)
      case 40..<55: try perform(place)
      case 55..<65: try answer(place)
      case 65..<82: try follow(place)
      case 82..<90:
        for _ in 0..<(events.contains(.manyPictures) ? 3 : 1) { try collect(place) }
      case 90..<93: members[place].connection = nil
      case 93..<95: members[place] = try member(of: machine)
      case 95..<97 where events.contains(.exclusions): try await cutPower(machine)
      case 97 where events.contains(.exclusions): engine.compacted = engine.revision
      case 98: _ = members[place].exchange.keepSomeBases()
      default:
        if let copy = copies.randomElement(using: &random), mayGrow { perform(copy) }
      }
    }
  }

  private func change(_ place: Int) throws {
    let store = members[place].store
    number += 1
    let ids = try sorted(store.ids())
    guard let id = ids.randomElement(using: &random),
      Int.random(in: 0..<(events.contains(.manyPictures) ? 12 : 4), using: &random) > 0
    else {
      created.insert("d\(number)")
      return try store.create(Card(id: "d\(number)"))
    }
    let kinds =
      events.contains(.manyPictures) ? 3..<8 : events.contains(.exclusions) ? 0..<10 : 3..<10
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
      if let name = pictureNames.randomElement(using: &random), let asset = Asset(name: name),
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
      pictureNames.append(asset.name)
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

  /// Ends what a member has under way if other files, or what another engine has, are in the place of what it knew.
  private func connected<Result>(_ place: Int, _ body: () throws -> Result?) throws -> Result? {
    do {
      return try body()
    } catch is DocumentExchange.IsElsewhere {
      members[place].connection = nil
      giveUp(place)
    } catch  where events.contains(.otherDirectories) {
      // Nothing of what is missing in a backup is written again before the processes end.
      for other in members.indices where members[other].machine == members[place].machine {
        members[other] = try member(of: members[other].machine)
      }
    }
    return nil
  }

  /// Identities in the order in which they appeared: those of copies are random.
  private func sorted(_ ids: [String]) -> [String] {
    for id in ids where places[id] == nil { places[id] = places.count }
    return ids.sorted { places[$0] ?? 0 < places[$1] ?? 0 }
  }

  private func send(_ place: Int) throws {
    _ = try members[place].exchange.noteFoundAssets()
    guard members[place].request == nil, let met = members[place].connection?.met else { return }
    let exchange = members[place].exchange
    if exchange.isSent(through: .max), try hasUnreplicatedCommit(place) {
      faults.append("at \(engine.revision), what \(place) says was sent is on no standby")
    }
    try connected(place) {
      try exchange.check(met)
      _ = try exchange.scan()
      guard let batch = try exchange.nextBatch() else { return try ask(place) }
      for asset in batch.assets where try !exchange.documents.hasAsset(asset) {
        lacking.insert(asset)
      }
      members[place].request = Request(
        batch: batch, assets: try batch.assets.sorted().map { ($0, try exchange.sending(of: $0)) })
    }
  }

  /// Asks for an answer where one is missing.
  private func ask(_ place: Int) throws {
    let exchange = members[place].exchange
    guard let question = try exchange.question() else { return }
    let answer = perform(question)
    if isReplicating { try exchange.take(answer: answer) }
  }

  /// Whether the last commit of a machine may be on no standby, where that is known: of two processes, the other one
  /// knows.
  private func hasUnreplicatedCommit(_ place: Int) throws -> Bool {
    let isAlone = members.count { $0.machine == members[place].machine } == 1
    guard isAlone, events.isSubset(of: .manyPictures) else { return false }
    let origin = try members[place].exchange.origin
    let last = engine.changes.last { $0.writes[origin] != nil }
    return last.map { $0.revision > replicated } ?? false
  }

  private func perform(_ place: Int, isSure: Bool = false) throws {
    guard let request = members[place].request, request.answer == nil else { return }
    var (assets, commit) = (request.assets, request.batch.commit)
    if !assets.isEmpty {
      guard let next = try assets[0].sending.nextCommit() else {
        members[place].request?.assets.removeFirst()
        if assets[0].sending.isMissing {
          try connected(place) {
            let batch = try members[place].exchange.noteMissing(
              [assets[0].name], for: request.batch)
            members[place].request?.batch = batch
          }
        }
        return
      }
      commit = next
    }
    guard mayGrow || engine.refuses(commit) else { return giveUp(place) }
    copies.append(commit)
    if copies.count > 5 { copies.removeFirst() }
    if assets.isEmpty { members[place].exchange.noteAnswer(isMissing: true) }
    if !isSure, Int.random(in: 0..<5, using: &random) == 0 { return giveUp(place) }
    let answer = perform(commit)
    if !isReplicating { return giveUp(place) }
    if assets.isEmpty {
      members[place].request?.answer = answer
    } else if !isSure, Int.random(in: 0..<5, using: &random) == 0 {
      giveUp(place)
    } else {
      assets[0].sending.take(answer)
      members[place].request?.assets = assets
    }
  }

  /// Performs a commit, and checks that the engine has what documents name.
  @discardableResult
  private func perform(_ commit: SyncCommit) -> SyncCommit.Result {
    let result = engine.perform(commit)
    if isReplicating { replicated = engine.revision }
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
    guard mayGrow else { return }
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
        perform(note)
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
    try connected(place) {
      if try members[place].exchange.take(answer, for: request.batch) {
        members[place].refusedThrough = engine.revision
        checkRefused(place)
      }
      members[place].request = nil
    }
  }

  private func checkRefused(_ place: Int) {
    let exchange = members[place].exchange
    guard exchange.lacksRefused(through: &members[place].refusedThrough) else { return }
    members[place].mustRead = true
    members[place].connection = nil
  }

  private func follow(_ place: Int) throws {
    try connected(place) {
      if try !followNext(place) { try connect(place) }
    }
  }

  /// Takes what comes next through the open connection; false if there is none.
  private func followNext(_ place: Int) throws -> Bool {
    let exchange = members[place].exchange
    guard let connection = members[place].connection else { return false }
    let engine = engines[connection.engine]
    guard connection.position >= engine.compacted else { return false }
    guard let change = engine.changes.first(where: { $0.revision > connection.position }) else {
      return true
    }
    if try exchange.mustWait(for: change) { return true }
    guard try fetch(try exchange.missing(exchange.assets(in: change)), place) else { return true }
    try exchange.take(change, after: connection.met)
    members[place].connection?.position = change.revision
    members[place].connection?.met = SyncPosition(
      cluster: connection.met.cluster, revision: max(connection.met.revision, change.revision))
    checkRefused(place)
    return true
  }

  private func connect(_ place: Int) throws {
    let exchange = members[place].exchange
    members[place].connection = nil
    try exchange.bases.createDirectory()
    let (log, known) = (exchange.index.log, exchange.index.position)
    let position = SyncPosition(cluster: engine.cluster, revision: engine.revision)
    if members[place].mustRead || log.doubt != nil || !exchange.isKnown(position)
      || log.revision < engine.compacted
    {
      let snapshot = engine.snapshot
      guard try fetch(try exchange.missing(exchange.assets(in: snapshot)), place) else { return }
      try exchange.take(snapshot, askedFor: known)
      members[place].mustRead = false
    }
    members[place].refusedThrough = nil
    exchange.sendRefusedAgain()
    _ = try exchange.scan()
    guard exchange.isKnown(position) else { return }
    let revision = exchange.index.log.revision
    members[place].connection = Connection(
      engine: engines.count - 1, met: SyncPosition(cluster: engine.cluster, revision: revision),
      position: revision)
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

  /// Another engine takes the place of the engine, or an earlier state of it does, under its name or another one.
  private func changeEngine() throws {
    let revision = chance(30) ? 0 : engine.changes.randomElement(using: &random)?.revision ?? 0
    // After a power cut, or in a backup, may be what does not show that it was set back.
    let isSame = events.isDisjoint(with: [.exclusions, .otherDirectories]) && chance(50)
    engines.append(engine.backup(of: revision))
    if isSame {
      // One that has its name has its addresses, too, and so nothing that was under way lasts.
      for place in members.indices {
        members[place].connection = nil
        if chance(50) { try answer(place, isSure: true) }
        giveUp(place)
      }
      collectors = []
    } else {
      // It goes on elsewhere, so that nothing means a revision of both.
      engine.become("\(engines.count)", at: UInt64(engines.count * 1000))
    }
    for place in members.indices where members[place].request?.answer == nil { giveUp(place) }
    copies = []
  }

  /// Whether the engine, if it was set back, is still known to have been: nobody has its next revision of before.
  private var mayGrow: Bool {
    let next = engine.revision + 1
    return members.allSatisfy { member in
      let index = member.exchange.index
      return index.log.cluster != engine.cluster
        || index.log.revision != next && index.names.allSatisfy { index[$0].revision != next }
    }
  }

  /// Another directory is put in the place of a machine's documents.
  private func replaceDirectory(_ machine: Int) throws {
    let disk = disks[machine]
    number += 1
    try disk.rename("/documents", to: FilePath("/moved-\(number)"))
    try disk.createDirectory("/documents")
    let hasIndex = chance(50)
    for (path, bytes) in backups[machine] ?? [:] {
      if !hasIndex, path.starts(with: "/documents/Sharing") { continue }
      try disk.createDirectories(path.removingLastComponent())
      try disk.write(bytes, to: path)
    }
    try disk.synchronizeAll(at: "/")
    // What was only there is gone.
    let others =
      disks.indices.filter { $0 != machine }.flatMap(cards) + (changesEngine ? [] : engineCards)
    created.formIntersection(others.map(\.id))
    let left = Set(others.flatMap(\.marks.keys))
    for id in marks.keys { marks[id]?.formIntersection(left) }
  }

  private var changesEngine: Bool { events.contains(.otherEngines) }

  /// The documents that the engine has.
  private var engineCards: [Card] {
    engine.values.filter { $0.key.ends(with: ".card".utf8) }.values.compactMap(card)
  }

  /// The documents that a machine has.
  private func cards(of machine: Int) -> [Card] { texts(of: machine).values.compactMap(card) }

  private func card(_ text: [UInt8]) -> Card? { try? JSON.Decoder().decode(Card.self, from: text) }

  /// The documents' files of a machine, by their names.
  private func texts(of machine: Int) -> [[UInt8]: [UInt8]] {
    var texts: [[UInt8]: [UInt8]] = [:]
    for (path, bytes) in disks[machine].files where path.removingLastComponent() == "/documents" {
      if path.extension == "card", let name = path.lastComponent {
        texts[Array(name.string.utf8)] = bytes
      }
    }
    return texts
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
    (isSettling, isReplicating) = (true, true)
    for _ in 0..<100 {
      let before = engine.revision
      for place in members.indices {
        if members[place].connection?.engine != engines.count - 1 {
          members[place].connection = nil
        }
        giveUp(place)
        try connected(place) { try ask(place) }
        try follow(place)
        while let connection = members[place].connection, connection.position < engine.revision {
          try connected(place) { try ask(place) }
          try follow(place)
        }
        try send(place)
        while members[place].request?.assets.isEmpty == false {
          try perform(place, isSure: true)
        }
        try perform(place, isSure: true)
        try answer(place, isSure: true)
      }
      let isQuiet = members.allSatisfy {
        $0.exchange.waitingCount == 0 && ($0.connection?.position ?? 0) >= engine.revision
      }
      if engine.revision == before, isQuiet { return check() }
    }
    faults.append("they never agree")
  }

  private func isAnywhere(_ name: String) -> Bool {
    disks.contains { $0.files[FilePath("/documents").appending(name)] != nil }
  }

  private func check() {
    for (place, disk) in disks.enumerated() {
      let values = engine.values.filter { $0.key.ends(with: ".card".utf8) }
      if texts(of: place) != values { faults.append("machine \(place) has other documents") }
      for card in cards(of: place) {
        for name in card.pictures.values.map(\.name)
        where !lacking.contains(name) || isAnywhere(name) {
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
    // Without what changes were made from, both are kept.
    let isExact = events.isDisjoint(with: [.exclusions, .otherEngines, .otherDirectories])
    if isExact, Set(found.keys) != created {
      faults.append("there are \(found.keys.sorted()), and \(created.sorted()) were made")
    }
    for (id, marks) in marks where !removed.contains(id) {
      let missing = marks.subtracting(isExact ? found[id] ?? [] : all.union(removedMarks))
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
