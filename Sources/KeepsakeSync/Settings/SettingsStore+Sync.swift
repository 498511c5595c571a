public import KeepsakeFiles
public import KeepsakeSettings

extension SettingsStore {
  /// Opens an app's settings, and keeps the app's own in agreement with those of other machines.
  ///
  /// ```swift
  /// let store = try SettingsStore(container: .main, sync: .etcd(endpoints, namespace: "hiitfit"))
  /// ```
  ///
  /// Reads and writes stay local, and never wait for the engine. Changes are sent soon; while the engine does not
  /// answer they are kept, also over restarts. The order in which the engine takes changes decides between those of
  /// several machines. Of several processes that have the same settings open, one talks to the engine; if it ends,
  /// another does within some seconds.
  ///
  /// Settings that join others for the first time receive their values, also in place of what was changed before; what
  /// these replace is among `preservedValues()`, and what only these settings have is sent, unless another machine is
  /// first with the same name.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - suite: The name of settings to open instead of the app's own.
  ///   - groups: The suites that are searched for values that the app's own settings do not contain.
  ///   - arguments: The command line, whose `-key value` pairs take precedence over all else.
  ///   - fileSystem: The file system that contains the directories.
  ///   - engine: The namespace that the machines share.
  ///   - onProblem: Receives every problem that is not thrown to a caller. By default problems are logged.
  /// - Throws: `SettingsError` if the settings exist and cannot be read, or cannot be written. Whether the engine
  ///   answers does not matter.
  /// - Complexity: O(*n*) in the number of stored settings.
  public convenience init(
    container: AppContainer = .main, suite: String? = nil, groups: [String] = [],
    arguments: [String] = CommandLine.arguments, fileSystem: any FileSystem = LocalFileSystem(),
    sync engine: some SyncEngine, onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) throws(SettingsError) {
    try self.init(
      container: container, suite: suite, groups: groups, arguments: arguments,
      fileSystem: fileSystem, onProblem: onProblem)
    try share(through: engine)
  }

  /// Keeps the app's own settings in agreement with an engine until they are released.
  ///
  /// ```swift
  /// try SettingsStore.standard.share(through: .etcd(endpoints, namespace: "hiitfit"))
  /// ```
  ///
  /// This is what ``init(container:suite:groups:arguments:fileSystem:sync:onProblem:)`` does with settings that it opens.
  ///
  /// - Parameter engine: The namespace that the machines share.
  /// - Throws: `SettingsError` if the settings cannot be written.
  public func share(through engine: some SyncEngine) throws(SettingsError) {
    try share(through: engine, timing: SyncTiming())
  }

  package func share(
    through engine: some SyncEngine, timing: SyncTiming
  ) throws(SettingsError) {
    do {
      let sync = SettingsSync(try SharedSettings(self), engine: engine, timing: timing)
      let old = sharing.withLock { old in
        defer { old = sync }
        return old
      }
      old?.end()
      sync.member.start(anyChanges, sharingLock())
    } catch {
      throw error as? SettingsError
        ?? SettingsError(.notWritten, "the settings cannot be shared", cause: error)
    }
  }

  /// Waits until the engine has all changes so far durably, also those that other processes made in these settings.
  ///
  /// Concurrent calls share one commit. While the engine does not answer, this waits; cancel the task to give up,
  /// after which the changes are still sent later.
  ///
  /// - Throws: ``SyncError`` if the engine does not take a change; `SettingsError` if the changes cannot be flushed to
  ///   this machine's disk, too; `CancellationError`.
  public func synchronize(_ scope: SyncScope) async throws {
    let sync = try readyConnection
    async let isSent: Void = sync.member.synchronize()
    try await synchronize()
    try await isSent
  }

  /// Changes several settings of all machines atomically.
  ///
  /// ```swift
  /// try await store.transaction(.everywhere) { $0[.seats] -= 1 }
  /// ```
  ///
  /// The body reads what the engine has, and its changes are made if nobody changed what it read meanwhile; else it
  /// runs again. It also runs once to find out what it reads, on what this machine has; what it returns or throws then
  /// does not count. So it should have no other side effects. Transactions are linearizable: each sees all that were
  /// acknowledged before it. When this returns, the engine has the changes durably, and usually this machine has
  /// them, too.
  ///
  /// - Parameter body: Reads and changes settings; if it throws, nothing is changed.
  /// - Returns: What the body returned when its changes were made.
  /// - Throws: Errors of the body; ``SyncError``: after `uncertain` the changes may have been made, after all others
  ///   nothing was changed; `CancellationError`, after which they may have been made; and a `SettingsError`, before
  ///   anything is changed, if what was changed here cannot be flushed.
  public nonisolated(nonsending) func transaction<Result>(
    _ scope: SyncScope, _ body: (inout SettingsStore.Transaction) throws -> Result
  ) async throws -> Result {
    // What was changed here before the transaction is before it everywhere, and so is what another engine lacks.
    let sync = try readyConnection
    let hasMet = await sync.member.hasMetEngine
    if let log = syncLog,
      !hasMet || !log.hasJoined || !log.changes.isEmpty || !log.replaced.isEmpty
    {
      try await synchronize()
      do {
        try await sync.member.sent(waits: false)
      } catch SyncError.unreachable(let text) {
        throw SyncError.unreachable("\(text) Nothing was changed.")
      }
    }
    return try await sync.transactions.perform(body, in: self)
  }

  /// How far the settings agree with the engine: now, then after each change of that.
  ///
  /// ```swift
  /// for await status in store.syncStatus where status.waitingCount > 0 { show(status) }
  /// ```
  ///
  /// A slow loop skips states but always receives the latest. Without an engine there are none.
  public var syncStatus: some AsyncSequence<SyncStatus, Never> & Sendable {
    SyncStatuses(member: try? connection.member)
  }

  /// The connection, once the changes of other processes are read: otherwise they are soon, which is too late for what
  /// is sent now.
  private var readyConnection: SettingsSync {
    get throws {
      let sync = try connection
      try receive { _ in nil }
      if endSharingIfRemoved() { throw CancellationError() }
      return sync
    }
  }

  /// Ends sharing if any process has removed the files.
  ///
  /// - Returns: Whether one has.
  func endSharingIfRemoved() -> Bool {
    if areFilesRemoved { sharing.withLock { $0 }?.end() }
    return areFilesRemoved
  }

  private var connection: SettingsSync {
    get throws(SyncError) {
      if let sync = sharing.withLock({ $0 }) as? SettingsSync { return sync }
      throw .rejected("The settings were opened without an engine: `sync:` names one.")
    }
  }
}
