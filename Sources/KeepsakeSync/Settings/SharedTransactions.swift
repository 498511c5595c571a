import KeepsakeBase
import KeepsakeCoding
import KeepsakeSettings

/// Transactions on the values that an engine has.
///
/// Each has an origin's record, as changes of a store have: so one whose answer was lost can be asked again, and the
/// record says whether it was made.
final class SharedTransactions: Sendable {
  /// A record that no transaction uses at present.
  private struct Record {
    let origin = SyncLog.newOrigin()
    var number: UInt64 = 0
    var revision: UInt64 = 0

    var key: SyncKey { .origin(origin) }

    /// Raises the number.
    ///
    /// - Returns: What the engine has it as from now on.
    mutating func raise(on day: Int) -> [UInt8] {
      number += 1
      // Where the process was restored from a snapshot of its memory, another transaction may have had the number.
      let number = SyncLog.Number(generation: number, offset: .random(in: 0 ... .max))
      return OriginRecord(through: number, day: day).bytes
    }
  }

  private let store: SharedSettings
  private let limits: SyncLimits
  private let requests: SyncRequests
  private let timing: SyncTiming
  private let records = Mutex<[Record]>([])
  /// The earlier origins of which nothing is made any more that was under way.
  private let ended = Mutex<Set<String>>([])

  init(_ store: SharedSettings, engine: any SyncEngine, timing: SyncTiming) {
    self.store = store
    limits = engine.limits
    // Somebody waits for a transaction's error, also where the network has been silent for long.
    var timing = timing
    timing.patience = timing.answer
    requests = SyncRequests(engine, timing: timing)
    self.timing = timing
  }

  nonisolated(nonsending) func perform<Answer>(
    _ body: (inout SettingsStore.Transaction) throws -> Answer, in settings: SettingsStore
  ) async throws -> Answer {
    // After an error it is not known what becomes of the record, and it is not used again.
    var record = records.withLock { $0.popLast() } ?? Record()
    var answers: [[UInt8]: Answer] = [:]
    var items: [SyncKey: SyncItem] = [:]
    var known: Set<SettingsName> = []
    // Whether the answer to a commit was lost, which may have been made.
    var isUncertain = false
    while true {
      try Task.checkCancellation()
      let values = Dictionary(
        uniqueKeysWithValues: known.map { name in (name, items[SyncKey(name)].map(\.value)) })
      let rehearsal: SettingsStore.Rehearsal<Answer>
      let isOnLocalValues: Bool
      do {
        rehearsal = settings.rehearse(on: decoded(values), body)
        isOnLocalValues = !rehearsal.reads.isSubset(of: known)
        known.formUnion(rehearsal.reads)
        try check(known.count)
        if !isOnLocalValues {
          try checkReadable(rehearsal.reads.subtracting(rehearsal.replaced), in: values)
          try checkSizes(of: rehearsal.reads.union(rehearsal.changes.keys))
          if case .success = rehearsal.result { try check(rehearsal.changes.count) }
        }
      } catch {
        if isUncertain, let result = try await end(&record, answers) {
          return await finish(record, result)
        }
        throw error
      }
      // What it throws counts no more than what it returns, before it has read what the engine has.
      if isOnLocalValues {
        let commit = SyncCommit(reading: known.map { SyncKey($0) })
        items = [:]
        if case .refused(let current) = try await answer(to: commit, reading: known, &isUncertain) {
          items = current
        }
        continue
      }
      guard case .success(let result) = rehearsal.result, !rehearsal.changes.isEmpty else {
        if isUncertain, let result = try await end(&record, answers) {
          return await finish(record, result)
        }
        records.withLock { $0.append(record) }
        return try rehearsal.result.get()
      }
      try await endEarlier(&isUncertain)
      let bytes = record.raise(on: timing.day)
      answers[bytes] = result
      var commit = SyncCommit(conditions: [record.key: record.revision], writes: [:])
      for name in known { commit.conditions[SyncKey(name)] = items[SyncKey(name)]?.revision ?? 0 }
      for (name, value) in rehearsal.changes {
        commit.writes.updateValue(value?.element, forKey: SyncKey(name))
      }
      commit.writes[record.key] = bytes
      switch try await answer(to: commit, reading: known, &isUncertain) {
      case .committed(let revision):
        record.revision = revision
        return await finish(record, result)
      case .refused(let current):
        // Of an earlier attempt, whose answer was lost.
        if let item = current[record.key], item.revision != record.revision {
          if let result = answers[item.value] {
            record.revision = item.revision
            return await finish(record, result)
          }
          if isUncertain { throw Self.changedRecord }
          // It is older, as after a backup of the engine was restored.
          record = Record()
        }
        // It may have been removed since it was used last.
        if current[record.key] == nil { record.revision = 0 }
        items = current
      }
    }
  }

  /// Makes sure that none of the attempts whose answers were lost is made later.
  ///
  /// - Returns: The result of the one that was made; nil if none was.
  private func end<Answer>(
    _ record: inout Record, _ answers: [[UInt8]: Answer]
  ) async throws -> Answer? {
    var ends: Set<[UInt8]> = []
    var isUncertain = true
    while true {
      let bytes = record.raise(on: timing.day)
      ends.insert(bytes)
      let commit = SyncCommit(
        conditions: [record.key: record.revision], writes: [record.key: bytes])
      switch try await answer(to: commit, &isUncertain) {
      case .committed(let revision):
        record.revision = revision
        return nil
      case .refused(let current):
        record.revision = current[record.key]?.revision ?? 0
        guard let value = current[record.key]?.value else { continue }
        if ends.contains(value) { return nil }
        guard let result = answers[value] else { throw Self.changedRecord }
        return result
      }
    }
  }

  /// Writes the records of earlier origins again: what these have under way is refused then, also if a power cut has taken
  /// back what says so.
  ///
  /// - Parameter isUncertain: Whether an answer to a commit of the transaction was lost, which an error says.
  private func endEarlier(_ isUncertain: inout Bool) async throws {
    let log = store.view.log
    let origins = ended.withLock { ended in
      log.usedOrigins.filter { $0 != log.origin && !ended.contains($0) }
    }
    for start in stride(from: 0, to: origins.count, by: limits.writes) {
      let part = origins[start...].prefix(limits.writes)
      var commit = SyncCommit(reading: part.map(SyncKey.origin))
      while case .refused(let current) = try await answer(to: commit, &isUncertain) {
        commit = SyncCommit(conditions: [:], writes: [:])
        for origin in part {
          let item = current[.origin(origin)]
          let record = OriginRecord(item?.value)
          if item != nil, record == nil {
            throw isUncertain ? Self.changedRecord : Self.unreadableRecord
          }
          commit.conditions[.origin(origin)] = item?.revision ?? 0
          commit.writes[.origin(origin)] =
            OriginRecord(through: record?.through ?? .none, day: timing.day).bytes
        }
      }
      ended.withLock { $0.formUnion(part) }
    }
  }

  private static let unreadableRecord = SyncError.rejected(
    "The record of an earlier opening of the settings was changed by somebody else.")

  private static let changedRecord = SyncError.uncertain(
    "The record of a transaction was changed by somebody else. \(uncertainty)")

  private static let uncertainty = "The changes may have been made."

  private func finish<Answer>(_ record: Record, _ result: Answer) async -> Answer {
    records.withLock { $0.append(record) }
    _ = try? await store.logBecomes(by: .now + timing.answer) { $0.revision >= record.revision }
    return result
  }

  private func check(_ count: Int) throws(SyncError) {
    let limit = limits.writes
    guard count > limit else { return }
    throw .rejected(
      "A transaction reads or changes \(count) settings, and the engine takes \(limit) at once.")
  }

  /// Checks that the engine has what was changed here of the values that a transaction is about.
  private func checkSizes(of names: Set<SettingsName>) throws(SyncError) {
    let view = store.view
    let tooLarge = names.filter { view.isTooLarge($0, for: limits) }.map(\.string)
    if !tooLarge.isEmpty { throw .rejected(limits.reason(for: tooLarge)) }
  }

  /// Values as a body reads them: what somebody else has written, and cannot be read, as none.
  private func decoded(
    _ values: [SettingsName: [UInt8]?]
  ) -> [SettingsName: PropertyList.Value?] {
    values.mapValues { $0.flatMap(PropertyList.Value.init(element:)) }
  }

  /// Checks that what a transaction depends on can be read; what it only replaces need not be.
  private func checkReadable(
    _ names: Set<SettingsName>, in values: [SettingsName: [UInt8]?]
  ) throws(SyncError) {
    for name in names {
      guard let bytes = values[name] ?? nil, PropertyList.Value(element: bytes) == nil else {
        continue
      }
      throw .rejected(
        "The engine's value of '\(name.string)' is not an element of a property list.")
    }
  }

  /// The answer to a commit, which is asked for again if it is lost.
  ///
  /// - Parameters:
  ///   - names: Those of the values that it brings, or may.
  ///   - isUncertain: Becomes true if an answer to a commit is lost that changes a setting.
  private func answer(
    to commit: SyncCommit, reading names: Set<SettingsName> = [], _ isUncertain: inout Bool
  ) async throws -> SyncCommit.Result {
    // As far as is known: here they are about as long.
    let view = store.view
    let length = names.reduce(0) { $0 + (view.value($1)?.count ?? 0) }
    var attempts = 1
    while true {
      do throws(SyncError) {
        return try await requests.perform(commit, answerLength: length)
      } catch {
        try Task.checkCancellation()
        guard case .unreachable(let text) = error else {
          // Only this attempt was rejected.
          if isUncertain { throw SyncError.uncertain("\(error) \(Self.uncertainty)") }
          throw error
        }
        if commit.writes.keys.contains(where: { $0.setting != nil }) { isUncertain = true }
        guard attempts < 4 else {
          throw isUncertain
            ? SyncError.uncertain("\(text) \(Self.uncertainty)")
            : .unreachable("\(text) Nothing was changed.")
        }
      }
      try await Task.sleep(for: timing.retry.lowerBound * (1 << attempts))
      attempts += 1
    }
  }
}
