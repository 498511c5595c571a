public import KeepsakeSync

/// Checks that an engine does what `SyncEngine` says.
///
/// ```swift
/// let conformance = SyncEngineConformance { name in MyEngine(namespace: name) }
/// #expect(try await conformance.violations() == [])
/// ```
///
/// It needs an engine without faults to which nobody else commits meanwhile, makes some 3000 commits, and leaves its
/// items behind.
public struct SyncEngineConformance: Sendable {
  private let makeEngine: @Sendable (_ namespace: String) async throws -> any SyncEngine
  private let forgetCommits: (@Sendable (_ namespace: String) async throws -> Void)?

  /// Creates the check of an engine.
  ///
  /// - Parameters:
  ///   - forgetCommits: Makes an engine forget the commits to a namespace so far, as if it had no more space for them.
  ///     Without it, nothing is checked of an engine that forgets.
  ///   - makeEngine: Returns an engine for a namespace, of which nothing exists yet; for the same name it returns
  ///     another engine for the same namespace.
  public init(
    forgetCommits: (@Sendable (_ namespace: String) async throws -> Void)? = nil,
    _ makeEngine: @escaping @Sendable (_ namespace: String) async throws -> any SyncEngine
  ) {
    self.forgetCommits = forgetCommits
    self.makeEngine = makeEngine
  }

  /// Returns what the engine does not do; nothing if it does everything.
  ///
  /// - Throws: Errors of the engine.
  public func violations() async throws -> [String] {
    let name = "conformance-\(UInt64.random(in: 0 ... .max))"
    var found = Violations()
    for (number, check) in [
      checkCommits, checkConditions, checkKeys, checkNamespaces, checkLimits, checkCounter,
      checkSkew, checkSnapshots, checkFollowing, checkBacklog, checkForgetting, checkWriters,
      checkFailure, checkBlobs, checkCancellation,
    ].enumerated() {
      try await check("\(name)-\(number)", &found)
    }
    return found.texts
  }

  private struct Violations {
    private(set) var texts: [String] = []

    mutating func expect(_ isTrue: Bool, _ text: String) {
      if !isTrue { texts.append(text) }
    }
  }

  private func checkCommits(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    let empty = try await engine.read()
    found.expect(empty.items.isEmpty, "A namespace that nobody wrote has items.")
    let key = SyncKey.value([1])
    let first = try await engine.revision(ofWriting: [key: [1], .value([2]): [2]])
    let second = try await engine.revision(ofWriting: [key: [3]])
    found.expect(second > first, "A later commit's revision is not higher.")
    found.expect(first > empty.revision, "A commit's revision is not above that of what was read.")
    let full = try await makeEngine(name).read()
    found.expect(full.revision >= second, "What is read has a revision before the last commit's.")
    found.expect(full.cluster == empty.cluster, "The cluster's identity changes.")
    found.expect(
      full.items == [
        key: SyncItem(value: [3], revision: second),
        .value([2]): SyncItem(value: [2], revision: first),
      ], "What is read is not what was written, at the commits' revisions.")
    let position = try await engine.position()
    found.expect(
      position.cluster == empty.cluster && position.revision == second,
      "The identity of what was read, or the revision of the last commit is not what is reported.")
    found.expect(
      position.engineRevision >= full.revision,
      "The engine's revision is reported as an earlier one than that of what was read.")
    let third = try await engine.revision(ofWriting: [key: nil, .value([9]): nil])
    found.expect(third > second, "A removal's revision is not higher.")
    found.expect(
      try await engine.read().items.keys.elementsEqual([.value([2])]), "A removed item is read.")
    found.expect(
      try await engine.position().revision == third,
      "The revision of a removal is not what is reported.")
  }

  private func checkConditions(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    let (one, two) = (SyncKey.value([1]), SyncKey.origin("two"))
    let nothing = try await engine.perform(SyncCommit(conditions: [one: 0, two: 0], writes: [:]))
    if case .refused = nothing { found.expect(false, "Where nothing is, a key is not missing.") }
    let revision = try await engine.revision(ofWriting: [one: [1]])
    for conditions in [[one: 0], [one: revision - 1], [one: revision, two: 1], [two: revision]] {
      var current: [SyncKey: SyncItem] = [:]
      if conditions[one] != nil { current[one] = SyncItem(value: [1], revision: revision) }
      for writes: [SyncKey: [UInt8]?] in [[one: [9], two: [9]], [:]] {
        let result = try await engine.perform(SyncCommit(conditions: conditions, writes: writes))
        found.expect(
          result == .refused(current: current),
          "A commit whose condition is not met is not refused with what its keys have.")
      }
    }
    found.expect(
      try await engine.read().items == [one: SyncItem(value: [1], revision: revision)],
      "A refused commit changed something.")
    let result = try await engine.perform(
      SyncCommit(conditions: [one: revision, two: 0], writes: [two: [2]]))
    guard case .committed(let next) = result else {
      return found.expect(false, "A commit whose conditions are met is refused.")
    }
    found.expect(
      try await engine.read().items == [
        one: SyncItem(value: [1], revision: revision), two: SyncItem(value: [2], revision: next),
      ], "A key that is only in a condition was changed, or one that was written was not.")
  }

  private func checkKeys(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    let texts = ["", "/", "a/b", "%2F", "é", "e\u{301}", "'\"\\", "\u{0}", "\n", "𝄞", "head"]
    var writes: [SyncKey: [UInt8]?] = [:]
    for (number, text) in texts.enumerated() {
      writes[.value(Array(text.utf8))] = [UInt8(number)]
    }
    writes[.value([7])] = []
    writes[.value([8])] = Array(0...255)
    // The same bytes are several keys.
    writes[.origin("a-1")] = Array("7".utf8)
    writes[.value(Array("a-1".utf8))] = Array("8".utf8)
    _ = try await engine.revision(ofWriting: writes)
    found.expect(
      try await engine.read().items.mapValues { Optional($0.value) } == writes,
      "Keys or values with uncommon bytes are not read as they were written.")
  }

  private func checkNamespaces(_ name: String, _ found: inout Violations) async throws {
    let names = [name, name + "/a", name + "%2Fa", name + "0", name + "\u{E9}"]
    for name in names {
      _ = try await makeEngine(name).revision(ofWriting: [.value([1]): Array(name.utf8)])
    }
    var identities: Set<String> = []
    for name in names {
      identities.insert(try await makeEngine(name).read().cluster)
      found.expect(
        try await makeEngine(name).read().items.map(\.value.value) == [Array(name.utf8)],
        "A namespace has what was written to another, or not what was written to it.")
    }
    found.expect(identities.count == names.count, "Two namespaces have the same identity.")
  }

  private func checkLimits(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    let limits = engine.limits
    // Beside as many values as it takes, a commit has an origin's record.
    let origin = SyncKey.origin("0123456789abcdef0123456789abcdef")
    var writes: [SyncKey: [UInt8]?] = [origin: Array("18446744073709551615".utf8)]
    // Of which a snapshot has nothing.
    let start = try await engine.revision(ofWriting: [.blob("start"): []])
    // With so many keys of this length, all that it takes.
    let count = min(limits.writes, max(limits.length / 64, 1), 10_000)
    for number in 0..<count {
      writes[.value(Array(String(1_000_000 + number).utf8))] = [
        UInt8
      ](repeating: UInt8(truncatingIfNeeded: number), count: max(limits.length / count - 7, 0))
    }
    let result = try await engine.perform(SyncCommit(conditions: [origin: 0], writes: writes))
    guard case .committed(let largest) = result else {
      return found.expect(false, "The largest commit is refused.")
    }
    found.expect(
      try await engine.read().items.mapValues { Optional($0.value) } == writes,
      "The largest commit is not read as it was written.")
    var reported: SyncChange?
    var iterator = engine.messages(after: start).makeAsyncIterator()
    while reported == nil, let message = await iterator.next() {
      if case .change(let change) = message { reported = change }
    }
    found.expect(
      reported == SyncChange(revision: largest, writes: writes),
      "The largest commit is not reported as it was written.")
    let whole = [UInt8](repeating: 1, count: limits.length - 1)
    _ = try await engine.revision(ofWriting: [.value([1]): whole])
    if limits.keyLength < .max {
      // Bytes that cannot be compressed.
      let key = SyncKey.value((0..<limits.keyLength).map { _ in .random(in: 0...255) })
      let result = try await engine.perform(SyncCommit(conditions: [:], writes: [key: [1]]))
      let value = try await engine.read().items[key]?.value
      guard case .committed = result, value == [1] else {
        return found.expect(false, "The longest key is refused, or not read as it was written.")
      }
    }
    let absent = (0..<count).map { SyncKey.value(Array(String(2_000_000 + $0).utf8)) }
    let first = try await engine.perform(
      SyncCommit(
        conditions: Dictionary(uniqueKeysWithValues: absent.map { ($0, 0) }),
        writes: Dictionary(uniqueKeysWithValues: absent.map { ($0, []) })))
    guard case .committed = first else {
      return found.expect(false, "A commit with the most conditions is refused.")
    }
  }

  /// Several raise one number, each on condition that nobody else did.
  private func checkCounter(_ name: String, _ found: inout Violations) async throws {
    let (members, rounds) = (6, 20)
    let key = SyncKey.value(Array("counter".utf8))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<members {
        group.addTask {
          let engine = try await makeEngine(name)
          var (value, revision) = (0, UInt64(0))
          for _ in 0..<rounds {
            // Each time somebody else must have made a commit.
            for _ in 0...members * rounds {
              let next = Array(String(value + 1).utf8)
              let commit = SyncCommit(conditions: [key: revision], writes: [key: next])
              switch try await engine.perform(commit) {
              case .committed(let new): (value, revision) = (value + 1, new)
              case .refused(let current):
                value = Int(String(decoding: current[key]?.value ?? [], as: UTF8.self)) ?? 0
                revision = current[key]?.revision ?? 0
                continue
              }
              break
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let item = try await makeEngine(name).read().items[key]
    found.expect(
      item?.value == Array(String(members * rounds).utf8),
      "Commits on the condition that nobody else made one were lost, or made twice.")
  }

  /// Of two that each write what the other's condition is about, one is refused.
  private func checkSkew(_ name: String, _ found: inout Violations) async throws {
    let engines = [try await makeEngine(name), try await makeEngine(name)]
    for round in UInt8(0)..<50 {
      let keys = [SyncKey.value([round, 1]), .value([round, 2])]
      let count = try await withThrowingTaskGroup(of: Bool.self) { group in
        for place in 0...1 {
          group.addTask {
            let commit = SyncCommit(
              conditions: [keys[1 - place]: 0], writes: [keys[place]: [round]])
            if case .committed = try await engines[place].perform(commit) { return true }
            return false
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      if count != 1 {
        return found.expect(
          false, "Two commits at once, each on the condition that the other is not made, are made.")
      }
    }
  }

  /// What is read is of one revision, also if it is much.
  private func checkSnapshots(_ name: String, _ found: inout Violations) async throws {
    let (engine, reader) = try await (makeEngine(name), makeEngine(name))
    let count = 4000
    let keys = (0..<count).map { SyncKey.value(Array(String(10_000 + $0).utf8)) }
    for start in stride(from: 0, to: count, by: engine.limits.writes) {
      let part = keys[start..<min(start + engine.limits.writes, count)]
      _ = try await engine.revision(
        ofWriting: Dictionary(uniqueKeysWithValues: part.map { ($0, [0]) }))
    }
    _ = try await engine.revision(ofWriting: [keys[0]: [1], keys[count - 1]: [1]])
    let writing = Task {
      var number = UInt8(1)
      while !Task.isCancelled {
        number &+= 1
        _ = try await engine.revision(ofWriting: [keys[0]: [number], keys[count - 1]: [number]])
      }
    }
    defer { writing.cancel() }
    var isTorn = false
    for _ in 0..<10 {
      let items = try await reader.read().items
      if items.count != count || items[keys[0]] != items[keys[count - 1]] { isTorn = true }
    }
    found.expect(!isTorn, "What is read is of several revisions, or not everything.")
  }

  private func checkFollowing(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    let key = SyncKey.value([1])
    _ = try await engine.revision(ofWriting: [key: [0]])
    let start = try await engine.revision(ofWriting: [.value([2]): [0]])
    var expected: [SyncChange] = []
    func write(_ writes: [SyncKey: [UInt8]?]) async throws {
      expected.append(
        SyncChange(revision: try await engine.revision(ofWriting: writes), writes: writes))
    }
    for number in UInt8(1)...20 { try await write([key: [number], .value([3]): [number]]) }
    let opened = expected.last?.revision
    var iterator = try await makeEngine(name).messages(after: start).makeAsyncIterator()
    let first = await iterator.next()
    if case .opened(let position) = first {
      found.expect(
        try await position.cluster == engine.read().cluster && position.revision == opened
          && position.engineRevision >= position.revision,
        "The first message does not say where the engine is.")
    } else {
      found.expect(false, "The first message does not say which cluster it is.")
    }
    for number in UInt8(21)...40 {
      try await write([key: number % 2 == 0 ? nil : [number], .value([number]): []])
    }
    // Whether what was not there is reported as removed is up to the engine.
    let absent = SyncKey.value(Array("absent".utf8))
    try await write([key: [41], absent: nil])
    var received: [SyncChange] = []
    while received.count < expected.count, case .change(let change)? = await iterator.next() {
      received.append(change)
    }
    expected[expected.count - 1].writes[absent] = nil
    if let last = received.indices.last { received[last].writes[absent] = nil }
    found.expect(
      received == expected, "Commits are not reported each once, whole and in order.")
  }

  /// Has several write at once, and returns the revisions of their commits in order.
  private func revisions(
    ofWriters count: UInt8, rounds: UInt8, in name: String
  ) async throws -> [UInt64] {
    try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for member in 1...count {
        group.addTask {
          let engine = try await makeEngine(name)
          var revisions: [UInt64] = []
          for round in 0..<rounds {
            revisions.append(try await engine.revision(ofWriting: [.value([member]): [round]]))
          }
          return revisions
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted()
    }
  }

  /// Everything is reported to one that was away, also if it is much.
  private func checkBacklog(_ name: String, _ found: inout Violations) async throws {
    let start = try await makeEngine(name).revision(ofWriting: [.value([0]): []])
    let made = try await revisions(ofWriters: 30, rounds: 70, in: name)
    let messages = try await makeEngine(name).messages(after: start)
    found.expect(
      await messages.revisions(made.count) == made,
      "Of many commits, not each is reported to one that was away.")
  }

  /// One that was away learns that it misses something.
  private func checkForgetting(_ name: String, _ found: inout Violations) async throws {
    guard let forgetCommits else { return }
    let engine = try await makeEngine(name)
    let start = try await engine.revision(ofWriting: [.value([1]): [0]])
    for number in UInt8(1)...5 { _ = try await engine.revision(ofWriting: [.value([1]): [number]]) }
    let known = try await engine.revision(ofWriting: [.value([1]): nil])
    try await forgetCommits(name)
    let last = try await engine.revision(ofWriting: [.value([1]): [6]])
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    let following = Task {
      do throws(SyncError) {
        try await engine.follow(after: start) { message throws(SyncError) in
          if case .change = message { end.yield(false) }
        }
        end.yield(false)
      } catch {
        end.yield(error == .compacted)
      }
    }
    let deadline = Task {
      try await Task.sleep(for: .seconds(30))
      end.finish()
    }
    var iterator = ends.makeAsyncIterator()
    let isRefused = await iterator.next() == true
    following.cancel()
    deadline.cancel()
    found.expect(
      isRefused,
      "A connection that begins before commits that are forgotten is not refused.")
    found.expect(
      await engine.messages(after: known).revisions(1) == [last],
      "A connection that begins where no commit is forgotten does not report what follows.")
  }

  /// Everything is reported in order while several write.
  private func checkWriters(_ name: String, _ found: inout Violations) async throws {
    let start = try await makeEngine(name).revision(ofWriting: [.value([0]): []])
    let messages = try await makeEngine(name).messages(after: start)
    let made = try await revisions(ofWriters: 6, rounds: 20, in: name)
    found.expect(
      await messages.revisions(made.count) == made,
      "Commits of several are not reported each once, in order of revisions.")
  }

  /// After a message that was not taken comes no other one.
  private func checkFailure(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    let start = try await engine.revision(ofWriting: [.value([1]): [0]])
    for number in UInt8(1)...5 { _ = try await engine.revision(ofWriting: [.value([1]): [number]]) }
    let (counts, sink) = AsyncStream.makeStream(of: Void.self)
    let failure = SyncError.storage("The change cannot be taken.")
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    let following = Task {
      do throws(SyncError) {
        try await engine.follow(after: start) { message throws(SyncError) in
          guard case .change = message else { return }
          sink.yield()
          throw failure
        }
        end.yield(false)
      } catch {
        end.yield(error == failure)
      }
    }
    let deadline = Task {
      try await Task.sleep(for: .seconds(5))
      following.cancel()
      end.finish()
    }
    var iterator = ends.makeAsyncIterator()
    let hasThrown = await iterator.next() == true
    deadline.cancel()
    sink.finish()
    let count = await counts.reduce(0) { count, _ in count + 1 }
    found.expect(
      hasThrown && count == 1,
      "A connection goes on after a change that could not be taken, or does not say why.")
  }

  private func checkBlobs(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    let (value, blob) = (SyncKey.value([1]), SyncKey.blob("a/%1.png"))
    let first = try await engine.revision(ofWriting: [value: [1], blob: [2]])
    let second = try await engine.revision(ofWriting: [blob: [3]])
    let third = try await engine.revision(ofWriting: [.blob("other"): [4]])
    found.expect(
      try await engine.read().items == [value: SyncItem(value: [1], revision: first)],
      "A snapshot has blobs.")
    found.expect(
      try await engine.perform(
        SyncCommit(conditions: [blob: first, .blob("none"): 1, value: first], writes: [value: [9]]))
        == .refused(current: [
          blob: SyncItem(value: [3], revision: second),
          value: SyncItem(value: [1], revision: first),
        ]),
      "A condition of a blob is not checked, or the blob is not reported.")
    let last = try await engine.revision(ofWriting: [blob: nil, value: [5]])
    found.expect(
      try await engine.position().revision == last && first < second && second < third
        && third < last,
      "A commit of blobs has no revision.")
    let result = try await engine.perform(SyncCommit(conditions: [blob: 0], writes: [:]))
    if case .refused = result { found.expect(false, "A removed blob is there.") }
    var iterator = engine.messages(after: first - 1).makeAsyncIterator()
    var writes: [[SyncKey: [UInt8]?]] = []
    while case let message? = await iterator.next() {
      guard case .change(let change) = message else { continue }
      if !change.writes.isEmpty { writes.append(change.writes) }
      if change.revision >= last { break }
    }
    found.expect(
      writes == [[value: [1]], [value: [5]]], "Blobs are reported, or not what is beside.")
  }

  private func checkCancellation(_ name: String, _ found: inout Violations) async throws {
    let engine = try await makeEngine(name)
    _ = try await engine.revision(ofWriting: [.value([1]): [1]])
    let (ends, sink) = AsyncStream.makeStream(of: Bool.self)
    let following = Task {
      try? await engine.follow(after: 0) { _ in sink.yield(false) }
      sink.yield(true)
    }
    var iterator = ends.makeAsyncIterator()
    let patience = Task {
      try await Task.sleep(for: .seconds(30))
      sink.finish()
    }
    let isReported = await iterator.next() == false
    patience.cancel()
    following.cancel()
    found.expect(isReported, "Nothing is reported through a connection.")
    if !isReported { return }
    let deadline = Task {
      try await Task.sleep(for: .seconds(5))
      sink.finish()
    }
    defer { deadline.cancel() }
    while let hasEnded = await iterator.next() { if hasEnded { return } }
    found.expect(false, "A connection that is canceled does not end at once.")
  }
}

extension AsyncStream<SyncMessage> {
  /// The revisions of the next commits that are reported.
  fileprivate func revisions(_ count: Int) async -> [UInt64] {
    var revisions: [UInt64] = []
    for await message in self {
      if case .change(let change) = message { revisions.append(change.revision) }
      if revisions.count == count { break }
    }
    return revisions
  }
}

extension SyncEngine {
  /// What is reported until a connection ends, or half a minute has passed.
  fileprivate func messages(after revision: UInt64) -> AsyncStream<SyncMessage> {
    let (messages, sink) = AsyncStream.makeStream(of: SyncMessage.self)
    let following = Task {
      try? await follow(after: revision) { sink.yield($0) }
      sink.finish()
    }
    let deadline = Task {
      try await Task.sleep(for: .seconds(30))
      sink.finish()
    }
    sink.onTermination = { _ in
      following.cancel()
      deadline.cancel()
    }
    return messages
  }

  /// Writes without conditions, and returns the commit's revision.
  fileprivate func revision(
    ofWriting writes: [SyncKey: [UInt8]?]
  ) async throws(SyncError) -> UInt64 {
    switch try await perform(SyncCommit(conditions: [:], writes: writes)) {
    case .committed(let revision): return revision
    case .refused: throw .rejected("A commit without conditions was refused.")
    }
  }
}
