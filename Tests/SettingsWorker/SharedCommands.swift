import KeepsakeBase
import KeepsakeEtcd
import KeepsakePostgres
import KeepsakeSettings
import KeepsakeSync
import KeepsakeTestSupport

/// Settings that machines share.
extension SettingsWorker {
  /// What the body of a transaction has read.
  private struct Found: Error {
    let value: Int?
  }

  /// How many days the clock is ahead.
  private static let daysAhead = Mutex(0)

  /// Executes commands, each as a task of its own, whose lines are `NUMBER COMMAND KEY [VALUE [VALUE]]`; or
  /// `clock DAYS`, which has no answer.
  ///
  /// The answer has the number, the times before and after, and what came of it: `made VALUE`, or `failed` if nothing
  /// was changed, or `unknown`.
  static func share(
    _ store: SettingsStore, through name: String, namespace: String, addresses: [String],
    daysAhead days: Int
  ) async throws {
    daysAhead.withLock { $0 = days }
    try connect(store, to: name, namespace, addresses)
    // What is changed before settings join others is not a change of what these have.
    while store.syncLog?.cluster == nil { try await Task.sleep(for: .milliseconds(5)) }
    say("ready")
    while let line = readLine() {
      if line == "end" { return }
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "clock" {
        daysAhead.withLock { $0 = Int(words[1]) ?? 0 }
      } else {
        Task { await answer(words, store) }
      }
    }
  }

  private static func connect(
    _ store: SettingsStore, to name: String, _ namespace: String, _ addresses: [String]
  ) throws {
    var timing = SyncTiming.ofFaultyRuns
    let time = timing.time
    timing.time = { time() + daysAhead.withLock { $0 } * 86_400 }
    #if Etcd
    if name == "etcd" {
      return try store.share(
        through: .etcd(addresses, namespace: namespace), timing: timing)
    }
    #endif
    #if Postgres
    if name == "postgres" {
      return try store.share(
        through: .postgres(addresses[0], namespace: namespace), timing: timing)
    }
    #endif
    throw SyncError.rejected("This was built without an engine '\(name)'.")
  }

  private static func answer(_ words: [String], _ store: SettingsStore) async {
    let start = MonotonicTime.now
    let outcome: String
    do {
      outcome = "made \(try await perform(words, store))"
    } catch let error as SyncError {
      // Whether it is true is checked.
      let isCertain =
        if case .rejected = error { true } else {
          error.description.hasSuffix("Nothing was changed.")
        }
      outcome = isCertain ? "failed" : "unknown"
    } catch {
      outcome = "unknown"
      writeLine("! \(error)")
    }
    let end = MonotonicTime.now
    // Not thousands of errors while a disk is full.
    if !outcome.hasPrefix("made") { try? await Task.sleep(for: .milliseconds(50)) }
    writeLine("\(words[0]) \(start) \(end) \(outcome)")
  }

  private static func perform(_ words: [String], _ store: SettingsStore) async throws -> String {
    let key = SettingsKey<Int?>(words[2])
    let value = words.count > 3 ? Int(words[3]) : nil
    switch words[1] {
    case "read":
      // What a body throws must be as true as what it returns.
      let isThrown = words[0].hasSuffix("7")
      do {
        return text(
          try await store.transaction(.everywhere) { settings in
            if isThrown { throw Found(value: settings[key]) }
            return settings[key]
          })
      } catch let found as Found {
        return text(found.value)
      }
    case "write":
      try await store.transaction(.everywhere) { $0[key] = value }
    case "replace":
      // The value that was there: it was replaced if it is the first one.
      return text(
        try await store.transaction(.everywhere) { settings in
          let old = settings[key]
          if old == value { settings[key] = Int(words[4]) }
          return old
        })
    case "increment":
      return text(
        try await store.transaction(.everywhere) { settings in
          settings[key] = (settings[key] ?? 0) + 1
          return settings[key]
        })
    case "write-both":
      try await store.transaction(.everywhere) { settings in
        settings[key] = value
        settings[SettingsKey<Int?>(words[2] + ".twin")] = value
      }
    case "read-both":
      let (one, other) = try await store.transaction(.everywhere) { settings in
        (settings[key], settings[SettingsKey<Int?>(words[2] + ".twin")])
      }
      return one == other ? text(one) : "torn"
    case "put": try store.set(value, for: key)
    case "synchronize":
      try store.set(value, for: key)
      try await store.synchronize(.everywhere)
    case "peek": return text(try store.value(for: key))
    case "values":
      let values = try store.names.map { name in
        "\(name)=\(text(try store.value(for: SettingsKey<Int?>(name))))"
      }
      return ([String(store.syncLog?.changes.count ?? -1)] + values).joined(separator: " ")
    default: return "unknown command '\(words[1])'"
    }
    return text(value)
  }

  private static func text(_ value: Int?) -> String { value.map(String.init) ?? "nothing" }
}
