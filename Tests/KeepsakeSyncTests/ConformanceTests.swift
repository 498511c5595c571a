import KeepsakeBase
import KeepsakeTesting
import Testing

@testable import KeepsakeSync

@Suite("What checks an engine", .timeLimit(.minutes(5)))
struct ConformanceTests {
  /// How an engine can be wrong.
  enum Fault: CaseIterable {
    case ignoresConditions, writesWhenRefused, refusesSilently, losesRemovals, splitsCommits
    case repeatsChanges, losesChanges, sharesNamespaces, reordersChanges, readsInParts
    case tellsNoPosition, staysOpen, readsBlobs, tellsBlobs, forgetsBlobs, sharesIdentity
    case hasFewConditions, hasSkew, skipsLateChanges, goesOnAfterFailures
    case makesWhatWritesNothing, shortensKeys, sharesKinds
    case dropsLargeChanges, skipsAfterOnePage, forgetsSilently
  }

  @Test("An engine that does everything passes", arguments: [false, true])
  func correct(forgets: Bool) async throws {
    let engines = Engines(fault: nil)
    let conformance =
      forgets ? engines.conformance : SyncEngineConformance { await engines[$0] }
    #expect(try await conformance.violations() == [])
  }

  @Test("An engine with one fault fails", arguments: Fault.allCases)
  func faulty(_ fault: Fault) async throws {
    let engines = Engines(fault: fault)
    let conformance = engines.conformance
    #expect(try await !conformance.violations().isEmpty)
  }

  private actor Engines {
    private let fault: Fault?
    private var engines: [String: FaultyEngine] = [:]

    init(fault: Fault?) {
      self.fault = fault
    }

    nonisolated var conformance: SyncEngineConformance {
      SyncEngineConformance(forgetCommits: { await self[$0].forget() }) { await self[$0] }
    }

    subscript(namespace: String) -> FaultyEngine {
      let name = fault == .sharesNamespaces ? String(namespace.prefix { $0 != "/" }) : namespace
      if let engine = engines[name] { return engine }
      let engine = FaultyEngine(cluster: fault == .sharesIdentity ? "one" : name, fault: fault)
      engines[name] = engine
      return engine
    }
  }

  private actor FaultyEngine: SyncEngine {
    nonisolated let limits = SyncLimits(writes: 100, length: 100_000, keyLength: 1000)
    private let fault: Fault?
    private var model: EngineModel
    /// The revisions of commits that are not seen yet.
    private var hidden: Set<UInt64> = []
    /// The last one that was told.
    private var told: UInt64 = 0

    init(cluster: String, fault: Fault?) {
      model = EngineModel(cluster: cluster)
      self.fault = fault
    }

    func forget() { model.compacted = model.revision }

    func read() async throws(SyncError) -> SyncSnapshot {
      var snapshot = model.snapshot
      if fault == .readsBlobs { snapshot.items = model.items }
      if fault == .readsInParts, snapshot.items.count > 1000 {
        let last = SyncKey.value(Array("13999".utf8))
        try? await Task.sleep(for: .milliseconds(5))
        var items = snapshot.items
        items[last] = model.items[last]
        snapshot = SyncSnapshot(cluster: model.cluster, revision: model.revision, items: items)
      }
      return snapshot
    }

    func perform(_ commit: SyncCommit) async throws(SyncError) -> SyncCommit.Result {
      await Task.yield()
      var commit = commit
      if fault == .forgetsBlobs { commit.writes = commit.writes.filter { !$0.key.isBlob } }
      if fault == .tellsBlobs {
        for (key, value) in commit.writes {
          if case .blob(let name) = key { commit.writes[.value(Array(name.utf8))] = value }
        }
      }
      if fault == .losesRemovals {
        commit = SyncCommit(
          conditions: commit.conditions, writes: commit.writes.filter { $0.value != nil })
      }
      if fault == .splitsCommits, let first = commit.writes.first {
        _ = model.perform(
          SyncCommit(conditions: commit.conditions, writes: [first.key: first.value]))
      }
      if fault == .ignoresConditions {
        commit = SyncCommit(conditions: [:], writes: commit.writes)
      }
      if fault == .makesWhatWritesNothing, commit.writes.isEmpty {
        return .committed(revision: model.revision)
      }
      if fault == .shortensKeys {
        commit.writes = Dictionary(
          commit.writes.map { key, value in
            if case .value(let bytes) = key {
              (.value(Array(bytes.prefix(999))), value)
            } else {
              (key, value)
            }
          }, uniquingKeysWith: { first, _ in first })
      }
      if fault == .sharesKinds {
        commit.writes = Dictionary(
          commit.writes.map { key, value in
            if case .origin(let name) = key, commit.writes[.value(Array(name.utf8))] != nil {
              (.value(Array(name.utf8)), value)
            } else {
              (key, value)
            }
          }, uniquingKeysWith: { first, _ in first })
      }
      if fault == .hasFewConditions, commit.conditions.count > limits.writes / 2 {
        return .refused(current: [:])
      }
      if fault == .hasSkew, commit.conditions.keys.allSatisfy({ commit.writes[$0] == nil }) {
        // What its conditions are about is looked at before others are done.
        if model.refuses(commit) { return model.perform(commit) }
        try? await Task.sleep(for: .milliseconds(5))
        commit = SyncCommit(conditions: [:], writes: commit.writes)
      }
      let result = model.perform(commit)
      if fault == .skipsLateChanges, case .committed(let revision) = result, revision % 3 == 0 {
        hidden.insert(revision)
        // Until a later one is told, if others make any.
        for _ in 0..<50 where told < revision { try? await Task.sleep(for: .milliseconds(1)) }
        hidden.remove(revision)
      }
      guard case .refused = result else { return result }
      if fault == .writesWhenRefused {
        _ = model.perform(SyncCommit(conditions: [:], writes: commit.writes))
      }
      return fault == .refusesSilently ? .refused(current: [:]) : result
    }

    func position() async throws(SyncError) -> SyncPosition {
      SyncPosition(
        cluster: model.cluster, revision: fault == .tellsNoPosition ? 0 : model.revision)
    }

    func follow(
      after revision: UInt64,
      _ receive: @concurrent @Sendable (SyncMessage) async throws(SyncError) -> Void
    ) async throws(SyncError) {
      let current = model.revision
      if revision < model.compacted, fault != .forgetsSilently { throw .compacted }
      try await receive(.opened(SyncPosition(cluster: model.cluster, revision: current)))
      var sent = revision
      while !Task.isCancelled || fault == .staysOpen {
        if fault == .staysOpen, Task.isCancelled {
          await Task { try? await Task.sleep(for: .seconds(6)) }.value
          return
        }
        var waiting = model.changes.filter { $0.revision > sent && !hidden.contains($0.revision) }
        if fault == .dropsLargeChanges { waiting = waiting.filter { $0.writes.count < 100 } }
        if fault == .skipsAfterOnePage, waiting.count > 1000 {
          waiting.removeSubrange(1000..<waiting.count - 1)
        }
        if fault == .forgetsSilently { waiting = waiting.filter { $0.revision > model.compacted } }
        if fault == .reordersChanges { waiting.reverse() }
        if fault == .losesChanges { waiting = waiting.filter { $0.revision % 9 != 0 } }
        for change in waiting {
          sent = max(sent, change.revision)
          told = max(told, sent)
          do {
            try await receive(.change(change))
          } catch {
            if fault != .goesOnAfterFailures { throw error }
          }
          if fault == .repeatsChanges, change.revision % 5 == 0 {
            try await receive(.change(change))
          }
        }
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
  }
}
