package import KeepsakeBase
package import KeepsakeCoding

extension SettingsStore {
  /// Values that several machines share, at one time.
  package struct SharedValues: Sendable {
    let contents: SettingsContents

    /// What the other machines have; `nil` if none share the values.
    package var log: SyncLog? { contents.log }

    package subscript(name: SettingsName) -> PropertyList.Value? { contents[name] }

    /// - Complexity: O(*n* log *n*).
    package var names: Set<SettingsName> { Set(contents.merged.keys) }
  }

  /// What comes from other machines.
  package struct ReceivedValues: Sendable {
    package var update = SyncLog.Update()
    /// The new values; nil for those to remove.
    package var values: [SettingsName: PropertyList.Value?] = [:]
    /// Whether values that are replaced or removed are preserved, as those are whose offers are withdrawn.
    package var preserves = false

    package init() {}
  }

  /// The app's own settings.
  ///
  /// - Complexity: O(1), and the next change copies those of its journal.
  package var sharedValues: SharedValues { SharedValues(contents: app.contents.withLock { $0 }) }

  /// One of the app's own settings.
  package func sharedValue(_ name: SettingsName) -> PropertyList.Value? {
    app.contents.withLock { $0[name] }
  }

  /// What other machines have of the app's own settings; `nil` if none share them.
  package var syncLog: SyncLog? { app.contents.withLock { $0.log } }

  /// Begins to keep a log of what other machines have, unless there is one.
  package func shareValues() throws {
    try receive { values in
      if values.log?.origin.isEmpty == false { return nil }
      var received = ReceivedValues()
      received.update.origin = SyncLog.newOrigin()
      return received
    }
  }

  /// Takes what came from other machines.
  ///
  /// - Parameter decide: Returns what is to be taken; it runs again if another process changed one of these values
  ///   meanwhile, as the body of a transaction does.
  package func receive(_ decide: (SharedValues) -> ReceivedValues?) throws {
    let (names, _, problem) = try app.transact {
      let values = sharedValues
      guard let received = decide(values) else { return ([], [], nil, SettingsError?.none) }
      var changes: [SettingsFile.Change] = []
      let withdrawn = Set(received.update.withdrawals)
      var preserved: [SettingsName: PropertyList.Value] = [:]
      // Theirs comes later.
      for name in withdrawn where received.values[name] == nil { preserved[name] = values[name] }
      for (name, value) in received.values where !value.isIdentical(to: values[name]) {
        if received.preserves || withdrawn.contains(name) { preserved[name] = values[name] }
        changes.append(SettingsFile.Change(name: name, value: value))
      }
      let problem = try app.preserve(
        preserved, because: "the value that other machines have replaces it")
      return (changes, received.update.names, received.update, problem)
    }
    if let problem { report(problem) }
    layers.refresh(names)
  }

  /// What the body of a transaction would do, if some of the settings had other values; nothing is changed.
  package struct Rehearsal<Result> {
    package var result: Swift.Result<Result, any Error>
    /// The settings that were read.
    package var reads: Set<SettingsName>
    /// Those of them that were only replaced.
    package var replaced: Set<SettingsName>
    /// The new values; nil for those to remove.
    package var changes: [SettingsName: PropertyList.Value?] = [:]
  }

  /// Runs the body of a transaction, and changes nothing.
  ///
  /// - Parameter values: Those of the app's own settings that count instead of the stored ones.
  package func rehearse<Result>(
    on values: [SettingsName: PropertyList.Value?],
    _ body: (inout SettingsStore.Transaction) throws -> Result
  ) -> Rehearsal<Result> {
    let problems = SettingsStore.Transaction.Problems()
    defer { problems.all.forEach(report) }
    var transaction = SettingsStore.Transaction(store: self, problems: problems, base: values)
    let result = Swift.Result { try body(&transaction) }.flatMap { result in
      transaction.failure.map(Swift.Result.failure) ?? .success(result)
    }
    var rehearsal = Rehearsal(
      result: result, reads: transaction.readNames, replaced: transaction.replacedNames)
    for change in transaction.changes {
      rehearsal.changes.updateValue(change.value, forKey: change.name)
    }
    return rehearsal
  }

  /// A lock that one of the processes can hold that have the settings open; `nil` if they are in memory.
  package func sharingLock() -> SharingLock? {
    guard !app.isInMemory else { return nil }
    return (try? app.fileSystem.lock(at: app.lockPath)).map(SharingLock.init)
  }

  /// An element soon after changes of any settings, by this process or another, and one at the beginning.
  package var anyChanges: ChangeSequence<AnyChangeCursor> {
    ChangeSequence { [layers] in
      AnyChangeCursor(observer: layers.observers.makeObserver(prefix: ""))
    }
  }
}

/// A position among the changes of all settings.
package struct AnyChangeCursor: ChangeCursor {
  private let observer: PrefixObserver
  private var version: UInt64 = 0

  init(observer: PrefixObserver) {
    self.observer = observer
  }

  package var waiters: Waiters { observer.signal.waiters }

  package var hasChanged: Bool { observer.signal.version != version }

  package mutating func next() -> Void? {
    let version = observer.signal.version
    if version == self.version { return nil }
    self.version = version
    return ()
  }
}
