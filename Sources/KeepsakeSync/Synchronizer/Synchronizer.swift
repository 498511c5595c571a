package import KeepsakeSettings

/// Keeps a store in agreement with an engine: decides what is to be asked next, and takes the answers.
///
/// The engine's order decides: a change made here comes after everything that the engine has when it takes the
/// change. It is here until the namespace's own commits show that it was taken, so that what is seen never goes back
/// and forth.
///
/// It has neither clock nor sockets, and nothing that must outlive the process. Its driver performs its steps, and
/// passes on answers, failures and time without answers. Any answer may be lost, late or come twice.
package struct Synchronizer: Sendable {
  private enum Connection {
    case none
    /// The store had come from a cluster, up to a revision, when this began.
    case reading(id: UInt64, cluster: String?, revision: UInt64)
    /// Until the first message says where the engine is.
    case opening(id: UInt64)
    /// The last commit of the namespace was of a revision when this began.
    case following(id: UInt64, from: UInt64)
    /// To another engine than the log is about now: nothing that it brings counts.
    case outdated(id: UInt64)
  }

  private let limits: SyncLimits
  private let day: @Sendable () -> Int
  private var connection = Connection.none
  /// Whether it is opened again before anything is sent.
  private var mustReopen = false
  /// The commit that is under way, and what was not answered before.
  private var commit: (id: UInt64, commit: SyncCommit, before: OriginRecords.Unanswered)?
  /// The revision that the log had when it was asked for.
  private var revisionBefore: UInt64 = 0
  /// Whether the engine is another one, or was set back, and the log does not say so yet.
  private var isReplaced = false
  /// The engine that ``connection``, ``records`` and ``commit`` are about, as the log had it.
  private var engine: (cluster: String?, revision: UInt64) = (nil, 0)
  private(set) var records = OriginRecords()
  private(set) var view: SyncView?
  private var queue: SendQueue?
  /// Answered commits that remove something, by their revisions, until they come: an engine may leave out removals of
  /// what it did not have.
  private var removals: [UInt64: SyncCommit] = [:]
  /// The revisions of records that are to be removed.
  private var expired: [SyncKey: UInt64] = [:]
  /// The changes whose values the engine does not take.
  private var tooLarge: [SettingsName: SyncLog.Change] = [:]
  /// The origin of a view that is on disk, has a change of it, and has what was read of the engine: numbers of another
  /// one may begin again.
  private var durableOrigin: String?
  /// How often everything of an engine was read, or what was known of one was forgotten: what was changed until then may
  /// be another since.
  package private(set) var readingCount = 0
  /// Whether the log has become another than that of the last view, of which nothing more is sent.
  package private(set) var needsNewView = false
  private(set) var lastID: UInt64 = 0

  /// - Parameter day: Returns the present one, as records have it.
  package init(limits: SyncLimits, day: @escaping @Sendable () -> Int) {
    self.limits = limits
    self.day = day
  }

  package func status(of store: some SyncStore) -> SyncStatus {
    let log = store.log
    var status = SyncStatus(.catchingUp, waitingCount: waitingCount(in: log))
    status.tooLarge = valuesTooLarge(in: log).map(\.string).sorted()
    if status.waitingCount == 0, isCurrent(log) { status.state = .current }
    return status
  }

  /// Whether everything has come that the engine had when this began to follow it.
  private func isCurrent(_ log: SyncLog) -> Bool {
    guard case .following(_, let start) = connection else { return false }
    return log.revision >= start && log.doubt == nil
  }

  /// The changed values that the engine does not take, as far as they were compared.
  package func valuesTooLarge(in log: SyncLog) -> [SettingsName] {
    tooLarge.filter { log.changes[$0.key] == $0.value }.map(\.key)
  }

  /// How many values have changes that the engine takes, and has not acknowledged.
  ///
  /// - Complexity: O(*n*) in the number of changes that it has not shown.
  package func waitingCount(in log: SyncLog) -> Int {
    // Most are of one origin, which is not looked up again.
    var (origin, through): (String?, SyncLog.Number?)
    return log.changes.count { name, change in
      if change.origin != origin {
        (origin, through) = (change.origin, records[change.origin]?.through)
      }
      return through.map { change.number > $0 } ?? true && tooLarge[name] != change
    }
  }

  /// Whether nothing is to be sent of a log: no change, and no record to raise beyond one that was replaced.
  package func hasNothing(toSendOf log: SyncLog) -> Bool {
    waitingCount(in: log) == 0
      && log.replaced.allSatisfy { origin, number in
        records[origin].map { number <= $0.through } ?? false
      }
  }

  /// Whether there is a connection to the engine that the log is about.
  package var isFollowing: Bool { if case .following = connection { true } else { false } }

  /// Whether everything of the last view was sent and answered, so that a newer one is of use.
  package var needsView: Bool {
    commit == nil && queue == nil && records.unanswered.origins.isEmpty
  }

  /// Whether the changes of a view may be sent although they are not on disk.
  package func mayBeSentAtOnce(_ view: SyncView) -> Bool {
    let records = records
    return durableOrigin == view.log.origin && view.log.changes.count <= limits.writes
      && SendQueue(view, day: day()).isOneCommit(limits: limits) { records[$0] }
  }

  /// Begins to send the changes of a view.
  ///
  /// - Parameter isDurable: Whether they are on disk; they must be, unless ``mayBeSentAtOnce(_:)``.
  package mutating func send(_ view: SyncView, isDurable: Bool = true) {
    // Once the disk has a change of it, those that follow are known to have been sent, also if a power cut takes them.
    if isDurable, view.log.usedOrigins.last == view.log.origin { durableOrigin = view.log.origin }
    self.view = view
    tooLarge = tooLarge.filter { name, change in
      view.log.changes[name] == change && view.isTooLarge(name, for: limits)
    }
    needsNewView = false
    queue = SendQueue(view, day: day())
    // What it has may have come meanwhile.
    noteSeen(records.unanswered(in: records.all.mapValues(\.through)))
  }

  /// Notes that a view has nothing to be sent.
  package mutating func skipView() { needsNewView = false }

  private mutating func dropView() { (view, queue, needsNewView) = (nil, nil, true) }

  private mutating func sendAgain() { queue = view.map { SendQueue($0, day: day()) } }

  /// What is to be done now, if anything: after each call of another method, and after a while without answers.
  package mutating func steps(of store: some SyncStore) throws -> [SyncStep] {
    var steps: [SyncStep] = []
    // If this throws, nothing else is done.
    if isReplaced {
      try store.receive { _ in
        var received = Received()
        received.update.doubt = .both
        return received
      }
      isReplaced = false
    }
    let log = store.log
    noteEngine(log.cluster, log.revision)
    switch connection {
    case .following(let id, _) where mustReopen, .opening(let id) where mustReopen:
      connection = .outdated(id: id)
    default: break
    }
    mustReopen = false
    // Before the first snapshot it is not known which values are changes. This may throw, too.
    let next =
      commit == nil && log.cluster != nil ? try nextCommit(for: store) ?? removalOfRecords() : nil
    switch connection {
    case .opening(let id) where log.doubt != nil, .following(let id, _) where log.doubt != nil,
      .outdated(let id):
      connection = .none
      steps.append(.cancel(id: id))
    default: break
    }
    if case .none = connection {
      let id = newID()
      if log.cluster == nil || log.doubt != nil {
        connection = .reading(id: id, cluster: log.cluster, revision: log.revision)
        steps.append(.read(id: id))
      } else {
        connection = .opening(id: id)
        steps.append(.follow(id: id, after: log.revision))
      }
    }
    if let next {
      let id = newID()
      commit = (id, next, records.unanswered)
      revisionBefore = log.revision
      steps.append(.commit(id: id, next))
    }
    return steps
  }

  private mutating func nextCommit(for store: some SyncStore) throws -> SyncCommit? {
    let (records, log) = (records, store.log)
    // What others have offered, and removed since, comes first and withdraws what is offered here.
    let mayOffer = isCurrent(log)
    let next = queue?.next(limits: limits, mayOffer: mayOffer) { records[$0] }
    tooLarge.merge(queue?.tooLarge ?? [:]) { $1 }
    switch next {
    case .commit(let commit):
      // An offer that was withdrawn meanwhile, also by another process, must not come after what was removed since; nor
      // must a change that an engine has had, or that one of a later origin has replaced: another engine has no record
      // that refuses it.
      let isOutdated = commit.writes.keys.compactMap(\.setting).contains { name in
        log.changes[name]?.origin != view?.log.changes[name]?.origin
      }
      let isWithdrawn = commit.conditions.keys.compactMap(\.setting).contains { name in
        log.changes[name] != view?.log.changes[name]
      }
      if !isOutdated, !isWithdrawn { return commit }
      dropView()
      return try nextCommit(for: store)
    case .wait:
      return question()
    case .postpone(let entries):
      (queue, needsNewView) = (nil, true)
      var postponed: [SettingsName] = []
      try store.receive { view in
        var received = Received()
        // What was changed since may be sent already by a copy of this store.
        postponed = entries.keys.filter { view.log.changes[$0] == entries[$0] }
        for name in postponed {
          let change = entries[name]
          if change?.isOffer == true {
            received.update.offers.append(name)
          } else {
            received.update.claims.append(name)
          }
        }
        return received
      }
      // They have other numbers now, and may have been changed since.
      try store.receive { view in
        for name in postponed where view.isTooLarge(name, for: limits) {
          tooLarge[name] = view.log.changes[name]
        }
        return nil
      }
      return try nextCommit(for: store)
    case .nothing, nil:
      (view, queue) = (nil, nil)
      return question()
    }
  }

  /// A commit that is never made, and whose answer says what was made of that which is not answered; nil if all is.
  private func question() -> SyncCommit? {
    let origins = records.unanswered.origins.prefix(limits.writes)
    return origins.isEmpty ? nil : SyncCommit(reading: origins.map(SyncKey.origin))
  }

  /// Takes the answer to a request to read.
  ///
  /// - Throws: What the store throws; it is then read again.
  package mutating func take(
    _ snapshot: SyncSnapshot, id: UInt64, into store: some SyncStore
  ) throws {
    guard case .reading(id, let cluster, let revision) = connection else { return }
    connection = .none
    durableOrigin = nil
    readingCount += 1
    let before = cluster.map { SyncPosition(cluster: $0, revision: revision) }
    func isOvertaken(_ log: SyncLog) -> Bool {
      snapshot.isOvertaken(by: log.position, askedFor: before)
    }
    let shown = OriginRecords.shown(in: snapshot.items.mapValues { Optional($0.value) })
    let old = store.log
    if isOvertaken(old) { return }
    noteEngine(old.cluster, old.revision)
    noteEngine(snapshot.cluster, snapshot.revision)
    removals = removals.filter { $0.key > snapshot.revision }
    if records.hasAnswer(after: snapshot.revision) { forgetEngine() }
    records.learn(snapshot.items, of: old.origins)
    noteExpired(in: snapshot, old)
    if old.cluster == nil { try forgetChanges(in: store) }
    try store.receive { view in
      let log = view.log
      if isOvertaken(log) { return nil }
      records.noteSeen(log.changes(shown: shown), shown)
      noteSeen(shown)
      var received = Received()
      received.update.cluster = snapshot.cluster
      received.update.revision = snapshot.revision
      // Those of other machines are none of the log.
      let origins = log.origins
      received.update.shown = shown.filter { origins.contains($0.key) }
      // What is only here was removed there; unless the engine never had it, or has lost it.
      let isNew = log.cluster != snapshot.cluster || log.revision > snapshot.revision
      let isEdited = log.doubt == .edited && !isNew
      // What is replaced may be an edit.
      received.preserves = isNew || isEdited || log.doubt == .both
      func isMine(_ name: SettingsName) -> Bool { log.hasChange(of: name, shown: shown) }
      for (key, item) in snapshot.items {
        guard let name = key.setting else { continue }
        // What the store had of the engine, and has no longer: of two versions the edited one counts.
        if isEdited, item.revision <= log.revision, !isMine(name),
          !view.has(name, item.value)
        {
          received.update.claims.append(name)
        } else if received.counts(name, log) {
          received.writes[name] = item.value
        }
      }
      for name in view.names where received.writes[name] == nil && !isMine(name) {
        if log.changes[name]?.isOffer == true { received.update.withdrawals.append(name) }
        if snapshot.items[SyncKey(name)] != nil { continue }
        // A change that the engine was given, as by a copy of this store, was removed since.
        if isNew, log.changes[name] == nil {
          received.update.offers.append(name)
        } else if isEdited, log.changes[name] == nil {
          received.update.claims.append(name)
        } else {
          received.writes.updateValue(nil, forKey: name)
        }
      }
      return received
    }
  }

  /// Notes which engine the log is about, and at which revision: of another one, or one that was set back, nothing is
  /// known, and its answers do not count. Another process may have found that, or older files replaced those of the log.
  private mutating func noteEngine(_ cluster: String?, _ revision: UInt64) {
    defer { engine = (cluster, revision) }
    if cluster == engine.cluster, revision >= engine.revision { return }
    forgetEngine()
  }

  private mutating func forgetEngine() {
    (records, commit, removals) = (OriginRecords(), nil, [:])
    durableOrigin = nil
    readingCount += 1
    switch connection {
    case .opening(let id), .following(let id, _): connection = .outdated(id: id)
    default: break
    }
    // What it has and the log does not was made long ago, and no record says so there.
    dropView()
  }

  /// Takes what a store has changed before it joins as values that it has always had: they were not changes of what
  /// others have.
  ///
  /// Under another origin: a copy of the store may send them, and would not if this one raised the record.
  private mutating func forgetChanges(in store: some SyncStore) throws {
    (view, queue) = (nil, nil)
    try store.receive { view in
      // Also those that another process has just made.
      guard view.log.cluster == nil, !view.log.changes.isEmpty else { return nil }
      var received = Received()
      received.update.log = SyncLog(origin: SyncLog.newOrigin())
      return received
    }
  }

  /// Takes the answer to a commit.
  ///
  /// - Throws: What the store throws; then the commit is asked for again.
  package mutating func take(
    _ result: SyncCommit.Result, id: UInt64, into store: some SyncStore
  ) throws {
    noteEngine(store.log.cluster, store.log.revision)
    guard let (current, commit, before) = commit, current == id else { return }
    if case .refused(let items) = result {
      for case (.origin(let origin), let item) in items where OriginRecord(item.value) == nil {
        throw SyncError.rejected(
          """
          The record of the origin \(origin) was changed by somebody else, so that it is not known which changes the \
          engine has: remove it, and they are sent again.
          """)
      }
    }
    if case .committed(let revision) = result, revision <= revisionBefore {
      // Another engine, or one that was set back, has taken it in the place of the one that is followed.
      isReplaced = true
      return forgetEngine()
    }
    self.commit = nil
    records.take(result, to: commit, before: before)
    switch result {
    case .committed(let revision):
      if commit.writes.values.contains(nil), revision > engine.revision {
        removals[revision] = commit
      }
    case .refused(let current):
      // What was refused is sent again, unless the record says that it was made.
      sendAgain()
      try withdrawOffers(in: current, from: store)
    }
  }

  /// Withdraws offers that were refused, since the others have values, which come as all of theirs do.
  private mutating func withdrawOffers(
    in items: [SyncKey: SyncItem], from store: some SyncStore
  ) throws {
    let values = items.compactMap { key, item in key.setting.map { ($0, item) } }
    if values.isEmpty { return }
    dropView()
    let records = records
    try store.receive { view in
      var received = Received()
      for (name, item) in values {
        guard let change = view.log.changes[name], change.isOffer else { continue }
        // It was made, and only the answer was lost.
        if let record = records[change.origin], change.number <= record.through { continue }
        if item.revision <= view.log.revision {
          // It should have come by now: only everything that the engine has shows it.
          received.update.doubt = .damaged
          continue
        }
        received.update.withdrawals.append(name)
        // The same need not be kept.
        if view.value(name) == item.value { received.writes[name] = item.value }
      }
      return received
    }
  }

  /// Takes the first message of a connection: where the engine is.
  ///
  /// - Returns: What is to be done, if the connection cannot be used.
  package mutating func opened(
    _ position: SyncPosition, id: UInt64, for store: some SyncStore
  ) -> [SyncStep] {
    guard case .opening(id) = connection else { return [] }
    if position.cluster == store.log.cluster, position.engineRevision >= store.log.revision,
      !records.hasAnswer(after: position.engineRevision)
    {
      connection = .following(id: id, from: position.revision)
      return []
    }
    return [.cancel(id: id)] + readAgain(store.log)
  }

  /// Whether a commit of the namespace may be one from here that was not answered: it is taken once it is, or another
  /// one of its origin, so that no process counts as sent what is less durable.
  ///
  /// - Complexity: O(*n*) in the number of changes that wait.
  package mutating func mustWait(for change: SyncChange, in store: some SyncStore) -> Bool {
    let made = records.unanswered(in: OriginRecords.shown(in: change.writes))
    if made.isEmpty { return false }
    // Another process may have sent them.
    records.noteSeen(store.log.changes(shown: made), made)
    noteSeen(made)
    return made.keys.contains { origin in
      records.unanswered.origins.contains(origin)
        || commit?.commit.conditions[.origin(origin)] != nil
    }
  }

  /// Takes a commit of the namespace.
  ///
  /// - Throws: What the store throws; the connection must then be given up, so that the commit comes again.
  package mutating func take(
    _ change: SyncChange, id: UInt64, into store: some SyncStore
  ) throws {
    guard case .following(id, _) = connection else { return }
    var change = change
    // An engine that was set back may have another commit of that revision.
    if let removal = removals[change.revision],
      removal.writes.allSatisfy({ $1 == nil || change.writes[$0] == $1 })
    {
      change.writes.merge(removal.writes) { reported, _ in reported }
    }
    let (shown, engine) = (OriginRecords.shown(in: change.writes), engine)
    try store.receive { view in
      let log = view.log
      guard log.cluster == engine.cluster, log.revision >= engine.revision,
        change.revision > log.revision
      else { return nil }
      var received = Received()
      received.update.revision = change.revision
      received.update.shown = shown
      for (key, value) in change.writes {
        guard let name = key.setting else { continue }
        // An offer replaces none, and so is not replaced by none.
        if value == nil, log.hasChange(of: name, shown: shown) { continue }
        if received.counts(name, log) { received.writes.updateValue(value, forKey: name) }
      }
      // What makes a change has its value. Otherwise a copy of this store has raised the record.
      for (name, own) in log.changes(shown: shown)
      where change.writes[SyncKey(name)] == nil {
        received.update.withdrawals.append(name)
        if own.isOffer {
          // It has withdrawn the offer, and nobody has a value.
          received.writes.updateValue(nil, forKey: name)
        } else {
          // It has replaced the change, or made it in an engine that was set back since. What others have may be what
          // did not count beside the change.
          received.update.doubt = .damaged
        }
      }
      return received
    }
    self.engine.revision = max(engine.revision, change.revision)
    removals = removals.filter { $0.key > change.revision }
    records.learn(change, of: store.log.origins)
  }

  /// Learns that a request failed, or that its answer will not come: whether it was performed is not known.
  ///
  /// - Parameter error: Why; nil if that is not known.
  /// - Returns: What is to be done; nil if all goes on without what was asked for.
  package mutating func failed(
    id: UInt64, _ error: SyncError? = nil, for store: some SyncStore
  ) -> [SyncStep]? {
    if let (current, commit, before) = commit, current == id {
      self.commit = nil
      // Records can be removed later, and by others: this member may have no right to write.
      if !commit.writes.isEmpty, commit.writes.values.allSatisfy({ $0 == nil }) {
        expired = [:]
        return nil
      }
      // This machine may have slept: what is offered again waits for what others have done until now.
      let isOffer = commit.conditions.keys.contains { $0.setting != nil }
      if error?.isRejected == true {
        records.noteRejected(commit, before: before)
        // It comes meanwhile.
        mustReopen = mustReopen || isOffer
      } else {
        records.noteSent(commit)
        if isOffer, case .following(let id, _) = connection { connection = .outdated(id: id) }
      }
      sendAgain()
      return []
    }
    switch connection {
    case .reading(id, _, _), .opening(id), .following(id, _), .outdated(id):
      connection = .none
      return error == .compacted ? readAgain(store.log) : []
    default: return []
    }
  }

  /// Notes what is seen of the view that is being sent, also of changes that were replaced here since.
  private mutating func noteSeen(_ shown: [String: SyncLog.Number]) {
    guard let view, !shown.isEmpty else { return }
    records.noteSeen(view.log.changes(shown: shown), shown)
  }

  private mutating func readAgain(_ log: SyncLog) -> [SyncStep] {
    let id = newID()
    connection = .reading(id: id, cluster: log.cluster, revision: log.revision)
    return [.read(id: id)]
  }

  private mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  // MARK: Records of origins

  /// Notes which records have lived too long: beside the clock, the others' newest record says what time it is.
  private mutating func noteExpired(in snapshot: SyncSnapshot, _ log: SyncLog) {
    var days: [(key: SyncKey, revision: UInt64, day: Int)] = []
    let own = log.origins
    for (key, item) in snapshot.items {
      guard case .origin(let origin) = key, !own.contains(origin) else { continue }
      if let day = OriginRecord(item.value)?.day { days.append((key, item.revision, day)) }
    }
    let present = min(day(), days.map(\.day).max() ?? 0)
    expired = [:]
    for record in days where record.day < present - OriginRecord.lifetime {
      expired[record.key] = record.revision
    }
  }

  /// Removes some of the expired records; if one of them was used meanwhile, they stay until everything is read again.
  private mutating func removalOfRecords() -> SyncCommit? {
    let removed = expired.prefix(limits.writes)
    if removed.isEmpty { return nil }
    for (key, _) in removed { expired[key] = nil }
    let revisions = Dictionary(uniqueKeysWithValues: removed.map { ($0.key, $0.value) })
    return SyncCommit(conditions: revisions, writes: revisions.mapValues { _ in nil })
  }
}

extension Received {
  /// Whether what the others have counts, and not a change made here; what was offered them is then withdrawn.
  fileprivate mutating func counts(_ name: SettingsName, _ log: SyncLog) -> Bool {
    guard let change = log.changes[name] else { return true }
    // Also what its origin's record says was made: it may have been raised for a copy of this store.
    if change.isOffer { update.withdrawals.append(name) }
    return change.isOffer || !log.hasChange(of: name, shown: update.shown)
  }
}
