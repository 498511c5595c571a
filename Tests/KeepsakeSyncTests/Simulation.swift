import KeepsakeBase
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting

@testable import KeepsakeSync

/// Members, an engine and a network that loses, delays and repeats, in an order that a seed decides.
struct Simulation {
  private enum Message {
    case request(member: Int, run: Int, SyncStep)
    case snapshot(member: Int, run: Int, id: UInt64, SyncSnapshot)
    case result(member: Int, run: Int, id: UInt64, SyncCommit.Result)
  }

  /// A connection that follows the engine: what is sent comes in order, later or never.
  private struct Following {
    let member: Int
    let run: Int
    let id: UInt64
    let after: UInt64
    /// The place of the engine that it is one to.
    let engine: Int
    var isOpen = false
    var sent: UInt64
  }

  private final class Change {
    let value: [UInt8]?
    /// The changes that were made where this one had been: any of them may come in its place.
    var successors: [Change] = []
    /// Whether it was made by an edit: others may have changed the value as well, and nothing tells which was later.
    let isEdit: Bool
    /// The place of the first engine that may have it.
    let firstEngine: Int

    init(_ value: [UInt8]?, isEdit: Bool = false, firstEngine: Int = 0) {
      self.value = value
      self.isEdit = isEdit
      self.firstEngine = firstEngine
    }
  }

  /// By the names of values, what must not be lost.
  private typealias Changes = [String: [Change]]

  private final class Machine {
    var store: StoreModel
    /// The last change of each name that was made here, or before the files were copied, and what the engine had of it
    /// when another one took its place.
    var kept: Changes = [:]
    /// What a power cut leaves.
    var flushed: (files: StoreModel.Files, kept: Changes)

    init(_ store: StoreModel, kept: Changes = [:]) {
      self.store = store
      self.kept = kept
      flushed = (store.files, kept)
    }
  }

  /// A process that talks to the engine.
  private struct Member {
    let machine: Machine
    var synchronizer: Synchronizer
    var run = 0
    var isPartitioned = false
    /// What was kept when the last view was made, until it is said that all of that was sent.
    var sending: Changes?

    var store: StoreModel { machine.store }
  }

  /// Each has taken the place of the one before it.
  private var engines = [EngineModel(cluster: "one")]
  private var engine: EngineModel {
    get { engines[engines.count - 1] }
    set { engines[engines.count - 1] = newValue }
  }
  /// What the engine was given of changes, without offers.
  private var made: [(revision: UInt64, key: SyncKey, value: [UInt8]?)] = []
  /// Up to which revision a standby of the engine has everything: commits beyond are seen, and not acknowledged.
  private var replicated: UInt64 = 0
  /// Whether the standby is there.
  private var isReplicating = true
  private var hasAcknowledgedTooEarly = false
  /// What earlier engines were given, and no store waits to send.
  private var finished: Set<[UInt8]> = []
  private var hasMadeFinished = false
  /// What members had before they joined, and set no more since.
  private var initial: Set<[UInt8]> = []
  private var members: [Member] = []
  private var messages: [Message] = []
  private var followings: [Following] = []
  private var random: SeededRandom
  private var counter = 0
  private let limits = SyncLimits(writes: 3, length: 60)
  private static let names = ["a", "b", "c", "d", "e"]

  /// What also happens now and then.
  struct Events: OptionSet {
    let rawValue: Int

    /// A machine's files are copied to another one.
    static let copies = Self(rawValue: 1)
    /// A property list is edited while no process has it open.
    static let edits = Self(rawValue: 2)
    /// Another engine takes the place of the engine, or it is set back.
    static let otherEngines = Self(rawValue: 4)
    /// Two processes of a machine talk to the engine.
    static let twoProcesses = Self(rawValue: 8)
  }

  private let hasCopies: Bool
  private let hasEdits: Bool
  private let changesEngine: Bool
  private let hasTwoProcesses: Bool
  /// Whether engines leave out removals of what they do not have.
  private let isBrief: Bool
  private var hasLostPower = false
  private var isSettling = false

  init(
    seed: UInt64, members count: Int = 3, events: Events
  ) {
    random = SeededRandom(seed: seed)
    hasCopies = events.contains(.copies)
    hasEdits = events.contains(.edits)
    changesEngine = events.contains(.otherEngines)
    hasTwoProcesses = events.contains(.twoProcesses)
    isBrief = seed % 7 < 2
    for _ in 0..<count {
      let machine = Machine(StoreModel(origin: newOrigin()))
      for _ in 0..<(hasTwoProcesses ? 2 : 1) {
        members.append(Member(machine: machine, synchronizer: newSynchronizer()))
      }
    }
  }

  private mutating func newOrigin() -> String {
    counter += 1
    return "origin-\(counter)"
  }

  /// On a machine whose clock is up to two weeks ahead or behind.
  private mutating func newSynchronizer() -> Synchronizer {
    let day = Int.random(in: 20_000 - 14...20_000 + 14, using: &random)
    return Synchronizer(limits: limits) { day }
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  // MARK: What happens

  mutating func run(steps: Int) {
    for _ in 0..<steps { step() }
  }

  private mutating func step() {
    if changesEngine, chance(1) { changeEngine() }
    if chance(isReplicating ? 1 : 2) { isReplicating.toggle() }
    let index = Int.random(in: members.indices, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: change(index)
    case 20..<40: wake(index)
    case 40..<65: deliver(isFaulty: true)
    case 65..<85: deliverChange(isFaulty: true)
    case 85..<88: fail(index)
    case 88..<91 where hasEdits && chance(20): edit(index)
    case 88..<91: restart(index)
    case 91..<92 where chance(50): cutPower(index)
    case 91..<92: copy(index)
    case 92..<95: members[index].isPartitioned.toggle()
    case 95..<98:
      flush(index)
    default: compact()
    }
  }

  private mutating func change(_ index: Int) {
    counter += 1
    // Some are larger than the engine takes, until they are changed again.
    let end = chance(5) ? String(repeating: ".", count: limits.length) : ""
    let value: [UInt8]? = chance(15) ? nil : Array("\(index)-\(counter)\(end)".utf8)
    if let value, members[index].store.log.cluster == nil { initial.insert(value) }
    set(value, for: Self.names.randomElement(using: &random) ?? "", of: index)
  }

  private mutating func set(_ value: [UInt8]?, for name: String, of index: Int) {
    members[index].store.set(value, for: SettingsName(name))
    keep(Change(value), name, of: index)
  }

  private mutating func keep(_ change: Change, _ name: String, of index: Int) {
    let machine = members[index].machine
    for earlier in machine.kept[name] ?? [] { earlier.successors.append(change) }
    machine.kept[name] = [change]
  }

  private mutating func wake(_ index: Int) {
    send((try? members[index].synchronizer.steps(of: members[index].store)) ?? [], of: index)
    let synchronizer = members[index].synchronizer
    if synchronizer.needsView, let sent = members[index].sending {
      members[index].sending = nil
      if !synchronizer.needsNewView, isUnreplicated(sent) { hasAcknowledgedTooEarly = true }
    }
  }

  private mutating func send(_ steps: [SyncStep], of index: Int) {
    for step in steps {
      if case .cancel(let id) = step {
        followings.removeAll { $0.member == index && $0.id == id && $0.run == members[index].run }
      } else {
        messages.append(.request(member: index, run: members[index].run, step))
      }
    }
  }

  /// Delivers any message that is under way.
  private mutating func deliver(isFaulty: Bool) {
    guard let place = messages.indices.randomElement(using: &random) else { return }
    let message = messages[place]
    if !isFaulty || !chance(10) { messages.remove(at: place) }
    if isFaulty, chance(10) { return }
    switch message {
    case .request(let index, let run, let step):
      if members[index].isPartitioned { return }
      switch step {
      case .read(let id):
        messages.append(.snapshot(member: index, run: run, id: id, engine.snapshot))
      case .commit(let id, let commit):
        guard mayGrow || engine.refuses(commit) else { return messages.append(message) }
        let result = perform(commit)
        guard isReplicating else {
          // An operator ends its wait for a standby.
          guard members[index].run == run, chance(50) else { return }
          let steps = members[index].synchronizer.failed(id: id, for: members[index].store)
          return send(steps ?? [], of: index)
        }
        replicated = engine.revision
        messages.append(.result(member: index, run: run, id: id, result))
      case .follow(let id, let after):
        followings.append(
          Following(
            member: index, run: run, id: id, after: after, engine: engines.count - 1, sent: after))
      case .cancel: break
      }
    case .snapshot(let index, let run, let id, let snapshot):
      if members[index].run == run {
        try? members[index].synchronizer.take(snapshot, id: id, into: members[index].store)
      }
    case .result(let index, let run, let id, let result):
      if members[index].run == run {
        try? members[index].synchronizer.take(result, id: id, into: members[index].store)
      }
    }
  }

  private mutating func perform(_ commit: SyncCommit) -> SyncCommit.Result {
    let result = engine.perform(commit)
    guard case .committed(let revision) = result else { return result }
    for (key, value) in commit.writes where commit.conditions[key] == nil {
      if case .value = key {
        made.append((revision, key, value))
        if let value, finished.contains(value), !replacedValues.contains(value) {
          hasMadeFinished = true
        }
      }
    }
    return result
  }

  /// Whether the engine, if it was set back, is still known to have been: nobody has its next revision of before.
  private var mayGrow: Bool {
    let next = engine.revision + 1
    func isNext(_ cluster: String?, _ revision: UInt64) -> Bool {
      cluster == engine.cluster && revision == next
    }
    return !members.contains { member in
      let (log, flushed) = (member.store.log, member.machine.flushed.files.log)
      return isNext(log.cluster, log.revision)
        || member.synchronizer.records.all.values.contains { $0.revision == next }
        || !isSettling && isNext(flushed.cluster, flushed.revision)
    }
      && !messages.contains { message in
        switch message {
        case .request(_, _, .commit(_, let commit)): commit.conditions.values.contains(next)
        case .request: false
        case .snapshot(_, _, _, let snapshot): isNext(snapshot.cluster, snapshot.revision)
        case .result(_, _, _, .committed(let revision)): revision == next
        case .result(_, _, _, .refused(let items)):
          items.values.contains { $0.revision == next }
        }
      }
  }

  /// Another engine takes the place of the engine, or an earlier state of it does, under its name or another one.
  private mutating func changeEngine() {
    let revision =
      chance(30) ? 0 : engine.changes.randomElement(using: &random)?.revision ?? 0
    let isSame = chance(50)
    // A copy may have replaced it, and a power cut what says so.
    for (key, value) in engine.values where !hasCopies {
      // What is still to come through a connection to an earlier engine replaces it.
      if followings.contains(where: { engines[$0.engine].values[key] != value }) { continue }
      let name = String(decoding: key, as: UTF8.self)
      let change = Change(value, firstEngine: engines.count)
      for machine in members.map(\.machine)
      where machine.store.log.cluster != nil
        && machine.store.files.values[SettingsName(name)] == value
      {
        machine.kept[name, default: []].append(change)
      }
    }
    finished.formUnion(engine.changes.flatMap { $0.writes.values.compactMap(\.self) })
    finished.subtract(waitingValues)
    engines.append(engine.backup(of: revision))
    replicated = revision
    // Otherwise it goes on elsewhere, so that nothing means a revision of both.
    if !isSame { engine.become("\(engines.count)", at: UInt64(engines.count * 1000)) }
    made.removeAll { $0.revision > revision }
    messages.removeAll { if case .request = $0 { true } else { false } }
    // One that has its name has its addresses, too, and so no connection of before lasts.
    if isSame { while !followings.isEmpty { end(0, isCompacted: false) } }
  }

  /// What may still be sent for the first time.
  private var waitingValues: Set<[UInt8]> {
    var values: Set<[UInt8]> = []
    for files in members.flatMap({ [$0.store.files, $0.machine.flushed.files] }) {
      for name in files.log.changes.keys { files.values[name].map { _ = values.insert($0) } }
    }
    for case .request(_, _, .commit(_, let commit)) in messages {
      values.formUnion(commit.writes.values.compactMap(\.self))
    }
    return values.union(replacedValues)
  }

  /// What may still be sent, and what has replaced it since will come after it.
  private var replacedValues: Set<[UInt8]> {
    var values: Set<[UInt8]> = []
    for member in members {
      for name in member.store.log.changes.keys {
        (member.synchronizer.view?.value(name)).map { _ = values.insert($0) }
      }
    }
    return values
  }

  /// Sends the next thing through a connection that follows.
  private mutating func deliverChange(isFaulty: Bool) {
    guard let place = followings.indices.randomElement(using: &random) else { return }
    let following = followings[place]
    let index = following.member
    if isFaulty, members[index].isPartitioned || chance(5) {
      return end(place, isCompacted: false)
    }
    let engine = engines[following.engine]
    if !following.isOpen {
      if following.after < engine.compacted { return end(place, isCompacted: true) }
      followings[place].isOpen = true
      if members[index].run == following.run {
        let steps = members[index].synchronizer.opened(
          SyncPosition(cluster: engine.cluster, revision: engine.revision), id: following.id,
          for: members[index].store)
        send(steps, of: index)
      }
    } else if let change = engine.changes.first(where: { $0.revision > following.sent }) {
      if change.revision <= engine.compacted { return end(place, isCompacted: true) }
      if members[index].run == following.run,
        members[index].synchronizer.mustWait(for: change, in: members[index].store)
      {
        return
      }
      followings[place].sent = change.revision
      if members[index].run == following.run {
        try? members[index].synchronizer.take(
          isBrief ? engine.shortened(change) : change, id: following.id, into: members[index].store)
      }
    }
  }

  private mutating func end(_ place: Int, isCompacted: Bool) {
    let following = followings.remove(at: place)
    guard members[following.member].run == following.run else { return }
    let steps = members[following.member].synchronizer.failed(
      id: following.id, isCompacted ? .compacted : nil, for: members[following.member].store)
    send(steps ?? [], of: following.member)
  }

  /// A member gives up waiting for all answers.
  private mutating func fail(_ index: Int) {
    for id in 0..<members[index].synchronizer.lastID {
      send(
        members[index].synchronizer.failed(id: id + 1, for: members[index].store) ?? [],
        of: index)
    }
    followings.removeAll { $0.member == index && $0.run == members[index].run }
  }

  /// Somebody edits a member's property list while no process has it open.
  private mutating func edit(_ index: Int) {
    counter += 1
    let name = SettingsName(String(Int.random(in: 0..<5, using: &random)))
    let value = Array("edit-\(counter)".utf8)
    members[index].store.edit(chance(30) ? nil : value, of: name)
    keep(Change(value, isEdit: true), name.string, of: index)
    restartMachine(index)
  }

  /// The member's process is killed and starts again.
  private mutating func restart(_ index: Int) {
    members[index].run += 1
    members[index].sending = nil
    members[index].machine.store = StoreModel(members[index].store.files, origin: newOrigin())
    members[index].synchronizer = newSynchronizer()
  }

  /// All processes of the member's machine are killed and start again.
  private mutating func restartMachine(_ index: Int) {
    for other in members.indices where members[other].machine === members[index].machine {
      restart(other)
    }
  }

  private mutating func flush(_ index: Int) {
    let files = members[index].store.files
    members[index].sending = files.log.cluster == nil ? nil : members[index].machine.kept
    if chance(50), members[index].synchronizer.mayBeSentAtOnce(files.view) {
      members[index].synchronizer.send(files.view, isDurable: false)
      return
    }
    members[index].machine.flushed = (files, members[index].machine.kept)
    members[index].synchronizer.send(files.view)
  }

  /// The member's machine loses its power, and what it has not flushed; what of that was sent stays.
  private mutating func cutPower(_ index: Int) {
    hasLostPower = true
    let machine = members[index].machine
    machine.store = StoreModel(machine.flushed.files, origin: machine.flushed.files.log.origin)
    machine.kept = machine.flushed.kept
    restartMachine(index)
  }

  /// A member's files are copied to another machine.
  private mutating func copy(_ index: Int) {
    let files = members[index].store.files
    // Of stores that have not joined, as after a power cut, each copy has values of its own.
    let hasJoined = members[index].machine.flushed.files.log.cluster != nil
    guard hasCopies, members.count < 6, hasJoined else { return }
    let machine = Machine(
      StoreModel(files, origin: newOrigin()), kept: members[index].machine.kept)
    machine.flushed.files = files
    members.append(Member(machine: machine, synchronizer: newSynchronizer()))
  }

  private mutating func compact() {
    engine.compacted = UInt64.random(in: engine.compacted...engine.revision, using: &random)
  }

  // MARK: What must be true

  /// Ends all faults, and lets everything arrive.
  mutating func settle() {
    (isSettling, isReplicating) = (true, true)
    for index in members.indices {
      members[index].isPartitioned = false
      fail(index)
    }
    followings.removeAll { $0.engine < engines.count - 1 }
    for _ in 0..<10_000 {
      for index in members.indices {
        for (name, value) in members[index].store.files.values where value.count > limits.length {
          counter += 1
          set(Array("\(index)-\(counter)".utf8), for: name.string, of: index)
        }
        if members[index].synchronizer.needsView { flush(index) }
        wake(index)
      }
      let last = engine.changes.last?.revision ?? 0
      let isQuiet = messages.isEmpty && followings.allSatisfy { $0.sent >= last }
      if isQuiet, members.allSatisfy({ $0.synchronizer.status(of: $0.store).state == .current }) {
        return
      }
      for _ in 0..<max(1, messages.count) { deliver(isFaulty: false) }
      for _ in 0..<max(1, followings.count * 2) { deliverChange(isFaulty: false) }
    }
  }

  /// What is wrong, if anything is.
  var faults: [String] {
    var faults: [String] = []
    for (index, member) in members.enumerated() {
      let (files, status) = (member.store.files, member.synchronizer.status(of: member.store))
      if status.state != .current { faults.append("\(index) is not current") }
      let values = files.values.map { (Array($0.key.string.utf8), $0.value) }
      if Dictionary(uniqueKeysWithValues: values) != engine.values {
        faults.append("\(index) differs")
      }
      if !files.log.changes.isEmpty { faults.append("\(index) has not sent all") }
      for (name, changes) in member.machine.kept {
        for change in changes where !arrived(change, name) {
          faults.append("a change of \(index) was lost")
        }
      }
    }
    var times: [[UInt8]: Int] = [:]
    if hasAcknowledgedTooEarly { faults.append("what was acknowledged is on no standby") }
    if changesEngine {
      for case (_, _, let value?) in made { times[value, default: 0] += 1 }
    } else {
      for change in engine.changes {
        for case (.value, let value?) in change.writes { times[value, default: 0] += 1 }
      }
    }
    // An edit may have set a value back, and a copy may have what was finished elsewhere.
    if !hasEdits, !hasCopies, hasMadeFinished {
      faults.append("a change came again by another engine")
    }
    // An edit may bring back what others have removed meanwhile.
    if !hasEdits, times.values.contains(where: { $0 > 1 }) {
      faults.append("a change was made twice")
    }
    // A copy of a store may have what was replaced elsewhere.
    if !hasCopies, !hasEdits, hasStaleValue {
      faults.append("a change came after one that had replaced it")
    }
    // An edit may make a value of it that was changed here.
    if !hasEdits, replacesByInitialValue {
      faults.append("what a member had before it joined has replaced a value of others")
    }
    return faults
  }

  private var replacesByInitialValue: Bool {
    var present: Set<SyncKey> = []
    for change in engine.changes {
      for (key, value) in change.writes {
        if let value, initial.contains(value), present.contains(key) { return true }
        if value == nil { present.remove(key) } else { present.insert(key) }
      }
    }
    return false
  }

  /// Whether the engine was given a member's earlier value after a later one.
  private var hasStaleValue: Bool {
    var last: [String: Int] = [:]
    for case (_, let key, let value?) in made {
      let parts = String(decoding: value, as: UTF8.self).prefix { $0 != "." }.split(
        separator: "-")
      let (place, number) = ("\(key) \(parts[0])", Int(parts[1]) ?? 0)
      if number < last[place] ?? 0 { return true }
      last[place] = number
    }
    return false
  }

  /// Whether a store kept a value when it joined the engine, which had another.
  private func wasPreserved(_ value: [UInt8]?, _ name: String) -> Bool {
    members.contains { $0.store.files.preserved[SettingsName(name)]?.contains(value) ?? false }
  }

  /// Whether some changes may be on no standby, where that is known.
  private func isUnreplicated(_ changes: Changes) -> Bool {
    if hasCopies || hasEdits || changesEngine || hasTwoProcesses || hasLostPower { return false }
    return changes.contains { name, changes in
      changes.contains { change in
        // What is too large is not sent.
        (change.value?.count ?? 0) <= limits.length
          && !arrived(change, name, through: replicated)
      }
    }
  }

  /// Whether the engine was given a change, or, where there are copies of a store, one that was made of it.
  private func arrived(_ change: Change, _ name: String, through revision: UInt64 = .max) -> Bool {
    change.isEdit || wasPreserved(change.value, name)
      || engines[change.firstEngine...].contains { engine in
        engine.changes.contains {
          $0.revision <= revision && $0.writes[.value(Array(name.utf8))] == .some(change.value)
        }
      }
      || change.successors.contains { arrived($0, name, through: revision) }
  }
}
