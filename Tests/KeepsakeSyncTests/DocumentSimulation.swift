import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting

@testable import KeepsakeSync

/// Members that change, exchange and merge documents through an engine, whose disks lose power, and whose network
/// loses, delays and repeats.
final class DocumentSimulation {
  struct Card: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var title = ""
    var marks: [String: Bool] = [:]
  }

  /// A process of one of the machines.
  private struct Member {
    var machine: Int
    var store: DocumentStore<Card>
    var exchange: DocumentExchange
    /// A commit without an answer, or with one that has not arrived.
    var request: (batch: DocumentExchange.Batch, answer: SyncCommit.Result?)?
    /// Up to where an open connection has brought what the engine has.
    var position: UInt64?
    var mustRead = false
    var refusedThrough: UInt64?
  }

  private static let limits = SyncLimits(writes: 3, length: 100_000)
  private var random: SeededRandom
  /// Whether members also make changes that exclude each other, remove documents and lose power, and the engine forgets
  /// commits: a power cut may take what changes are merged with, and whether a commit was made may be among what is
  /// forgotten. Then both are kept.
  private let excludes: Bool
  private var disks: [SimulatedDisk] = []
  private var members: [Member] = []
  private var engine = EngineModel(cluster: "one")
  /// Commits that may be performed once more.
  private var copies: [SyncCommit] = []
  private var number = 0
  private var created: Set<String> = []
  private var removed: Set<String> = []
  private var marks: [String: Set<String>] = [:]
  /// Those of documents that were removed, also of copies.
  private var removedMarks: Set<String> = []
  private(set) var faults: [String] = []

  init(seed: UInt64, excludes: Bool) throws {
    random = SeededRandom(seed: seed)
    self.excludes = excludes
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
      store.sharedDocuments { _ in .keepBoth }, limits: Self.limits, isAutomatic: false)
    return Member(machine: machine, store: store, exchange: exchange)
  }

  func run(steps: Int) async throws {
    for _ in 0..<steps {
      let place = Int.random(in: 0..<members.count, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<20: try change(place)
      case 20..<40: try send(place)
      case 40..<55: perform(place)
      case 55..<65: try answer(place)
      case 65..<90: try follow(place)
      case 90..<93: members[place].position = nil
      case 93..<95: members[place] = try member(of: members[place].machine)
      case 95..<97 where excludes: try await cutPower(members[place].machine)
      case 97 where excludes: engine.compacted = engine.revision
      default:
        if let copy = copies.randomElement(using: &random) { _ = engine.perform(copy) }
      }
    }
  }

  private func change(_ place: Int) throws {
    let store = members[place].store
    number += 1
    let ids = try store.ids()
    guard let id = ids.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0
    else {
      created.insert("d\(number)")
      return try store.create(Card(id: "d\(number)"))
    }
    let kind = excludes ? Int.random(in: 0..<10, using: &random) : 9
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
    default:
      try store.edit(id) { $0.marks["\(number)"] = true }
      marks[id, default: []].insert("\(number)")
    }
  }

  private func send(_ place: Int) throws {
    guard members[place].request == nil, members[place].exchange.index.log.cluster != nil else {
      return
    }
    _ = try members[place].exchange.look()
    if let batch = try members[place].exchange.nextBatch() { members[place].request = (batch, nil) }
  }

  private func perform(_ place: Int, isSure: Bool = false) {
    guard let request = members[place].request, request.answer == nil else { return }
    copies.append(request.batch.commit)
    if copies.count > 5 { copies.removeFirst() }
    if !isSure, Int.random(in: 0..<5, using: &random) == 0 { return giveUp(place) }
    members[place].request?.answer = engine.perform(request.batch.commit)
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
    guard let revision = members[place].refusedThrough,
      members[place].exchange.lacksRefused(through: revision)
    else { return }
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
        try exchange.take(engine.snapshot, askedFor: log)
        members[place].mustRead = false
      }
      members[place].refusedThrough = nil
      exchange.sendRefusedAgain()
      _ = try exchange.look()
      members[place].position = exchange.index.log.revision
      return
    }
    guard let change = engine.changes.first(where: { $0.revision > position }) else { return }
    try exchange.take(change)
    members[place].position = change.revision
    checkRefused(place)
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
    for _ in 0..<100 {
      let before = engine.revision
      for place in members.indices {
        giveUp(place)
        try follow(place)
        while (members[place].position ?? 0) < engine.revision { try follow(place) }
        try send(place)
        perform(place, isSure: true)
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
      var texts: [[UInt8]: [UInt8]] = [:]
      for (path, bytes) in disk.files where path.removingLastComponent() == "/documents" {
        if path.extension == "card", let name = path.lastComponent {
          texts[Array(name.string.utf8)] = bytes
        }
      }
      if texts != engine.values { faults.append("machine \(place) has other documents") }
    }
    var found: [String: Set<String>] = [:]
    var all: Set<String> = []
    for text in engine.values.values {
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
