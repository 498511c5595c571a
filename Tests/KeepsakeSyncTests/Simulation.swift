import KeepsakeBase

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
    var isOpen = false
    var sent: UInt64
  }

  private final class Change {
    let value: [UInt8]?
    /// The changes that were made where this one had been: any of them may come in its place.
    var successors: [Change] = []

    init(_ value: [UInt8]?) {
      self.value = value
    }
  }

  private struct Member {
    var synchronizer: Synchronizer
    /// What is on its disk: changes made here at once, what was received only now and then.
    var disk: Replica
    var run = 0
    var isPartitioned = false
    /// What its values must be, changed only by what the synchronizer tells.
    var seen: [[UInt8]: [UInt8]] = [:]
    /// The last change of each key that was made here, or before the files were copied.
    var written: [[UInt8]: Change] = [:]
    /// What a power cut leaves of the two above.
    var flushed: (disk: Replica, written: [[UInt8]: Change])
  }

  private(set) var engine = EngineModel(cluster: "one")
  private var members: [Member] = []
  private var messages: [Message] = []
  private var followings: [Following] = []
  private var random: SeededRandom
  private var counter = 0
  private let limits = SyncLimits(writes: 3, length: 1000)
  private static let keys: [[UInt8]] = ["a", "b", "c", "d", "e"].map { Array($0.utf8) }

  /// Whether members' files are copied to other machines now and then.
  private let hasCopies: Bool

  init(seed: UInt64, members count: Int = 3, hasCopies: Bool) {
    random = SeededRandom(seed: seed)
    self.hasCopies = hasCopies
    for _ in 0..<count {
      let replica = Replica(origin: newOrigin())
      members.append(
        Member(
          synchronizer: Synchronizer(replica, limits: limits), disk: replica,
          flushed: (replica, [:])))
    }
  }

  private mutating func newOrigin() -> SyncOrigin {
    counter += 1
    return SyncOrigin(id: "origin-\(counter)")
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  // MARK: What happens

  mutating func run(steps: Int) {
    for _ in 0..<steps { step() }
  }

  private mutating func step() {
    let index = Int.random(in: members.indices, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: change(index)
    case 20..<40: wake(index)
    case 40..<65: deliver(isFaulty: true)
    case 65..<85: deliverChange(isFaulty: true)
    case 85..<88: fail(index)
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
    let key = Self.keys.randomElement(using: &random) ?? []
    counter += 1
    let value: [UInt8]? = chance(15) ? nil : Array("\(index)-\(counter)".utf8)
    members[index].synchronizer.set(value, for: key)
    members[index].seen[key] = value
    let change = Change(value)
    members[index].written[key]?.successors.append(change)
    members[index].written[key] = change
    members[index].disk = members[index].synchronizer.replica
  }

  private mutating func wake(_ index: Int) {
    send(members[index].synchronizer.steps(), of: index)
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
        messages.append(.result(member: index, run: run, id: id, engine.perform(commit)))
      case .follow(let id, let after):
        followings.append(
          Following(member: index, run: run, id: id, after: after, sent: after))
      case .cancel: break
      }
    case .snapshot(let index, let run, let id, let snapshot):
      if members[index].run == run { members[index].synchronizer.take(snapshot, id: id) }
    case .result(let index, let run, let id, let result):
      if members[index].run == run { members[index].synchronizer.take(result, id: id) }
    }
    follow()
  }

  /// Sends the next thing through a connection that follows.
  private mutating func deliverChange(isFaulty: Bool) {
    guard let place = followings.indices.randomElement(using: &random) else { return }
    let following = followings[place]
    let index = following.member
    if isFaulty, members[index].isPartitioned || chance(5) {
      return end(place, isCompacted: false)
    }
    if !following.isOpen {
      if following.after < engine.compacted { return end(place, isCompacted: true) }
      followings[place].isOpen = true
      if members[index].run == following.run {
        let steps = members[index].synchronizer.opened(
          cluster: engine.cluster, revision: engine.revision, lastCommit: engine.revision,
          id: following.id)
        send(steps, of: index)
      }
    } else if let change = engine.changes.first(where: { $0.revision > following.sent }) {
      if change.revision <= engine.compacted { return end(place, isCompacted: true) }
      followings[place].sent = change.revision
      if members[index].run == following.run {
        members[index].synchronizer.take(change, id: following.id)
      }
    }
    follow()
  }

  private mutating func end(_ place: Int, isCompacted: Bool) {
    let following = followings.remove(at: place)
    guard members[following.member].run == following.run else { return }
    let steps = members[following.member].synchronizer.failed(
      id: following.id, isCompacted: isCompacted)
    send(steps, of: following.member)
  }

  /// A member gives up waiting for all answers.
  private mutating func fail(_ index: Int) {
    for id in 0..<members[index].synchronizer.lastID {
      send(members[index].synchronizer.failed(id: id + 1), of: index)
    }
    followings.removeAll { $0.member == index && $0.run == members[index].run }
  }

  /// The member's process is killed and starts again.
  private mutating func restart(_ index: Int) {
    var replica = members[index].disk
    replica.begin(newOrigin())
    members[index].run += 1
    members[index].disk = replica
    members[index].seen = replica.values
    members[index].synchronizer = Synchronizer(replica, limits: limits)
  }

  private mutating func flush(_ index: Int) {
    members[index].disk = members[index].synchronizer.replica
    members[index].flushed = (members[index].disk, members[index].written)
    members[index].synchronizer.becameDurable(members[index].disk.outbox)
  }

  /// The member's machine loses its power, and what it has not flushed; what of that was sent stays.
  private mutating func cutPower(_ index: Int) {
    (members[index].disk, members[index].written) = members[index].flushed
    restart(index)
  }

  /// A member's files are copied to another machine.
  private mutating func copy(_ index: Int) {
    guard hasCopies, members.count < 6 else { return }
    var replica = members[index].disk
    replica.begin(newOrigin())
    members.append(
      Member(
        synchronizer: Synchronizer(replica, limits: limits), disk: replica, seen: replica.values,
        written: members[index].written, flushed: (replica, members[index].written)))
  }

  private mutating func compact() {
    engine.compacted = UInt64.random(in: engine.compacted...engine.revision, using: &random)
  }

  /// Takes what the synchronizers tell.
  private mutating func follow() {
    for index in members.indices {
      let news = members[index].synchronizer.takeNews()
      for key in news.changed {
        members[index].seen[key] = members[index].synchronizer.replica[key]
      }
    }
  }

  // MARK: What must be true

  /// Ends all faults, and lets everything arrive.
  mutating func settle() {
    for index in members.indices {
      members[index].isPartitioned = false
      fail(index)
      flush(index)
    }
    for _ in 0..<10_000 {
      for index in members.indices { wake(index) }
      let isQuiet = messages.isEmpty && followings.allSatisfy { $0.sent == engine.revision }
      if isQuiet, members.allSatisfy({ $0.synchronizer.status == .current }) { return }
      for _ in 0..<max(1, messages.count) { deliver(isFaulty: false) }
      for _ in 0..<max(1, followings.count * 2) { deliverChange(isFaulty: false) }
    }
  }

  /// What is wrong, if anything is.
  var faults: [String] {
    var faults: [String] = []
    for (index, member) in members.enumerated() {
      if member.synchronizer.status != .current { faults.append("\(index) is not current") }
      if member.synchronizer.replica.values != engine.values { faults.append("\(index) differs") }
      if member.seen != engine.values { faults.append("\(index) was not told of a change") }
      if !member.synchronizer.replica.outbox.isEmpty { faults.append("\(index) has not sent all") }
      for (key, change) in member.written where !arrived(change, key) {
        faults.append("a change of \(index) was lost")
      }
    }
    var times: [[UInt8]: Int] = [:]
    for change in engine.changes {
      for case (.value, let value?) in change.writes { times[value, default: 0] += 1 }
    }
    if times.values.contains(where: { $0 > 1 }) { faults.append("a change was made twice") }
    return faults
  }

  /// Whether the engine was given a change, or, where there are copies of a store, one that was made of it.
  private func arrived(_ change: Change, _ key: [UInt8]) -> Bool {
    engine.changes.contains { $0.writes[.value(key)] == .some(change.value) }
      || change.successors.contains { arrived($0, key) }
  }
}
