import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings

extension DocumentExchange {
  /// Takes everything that the engine has.
  ///
  /// - Parameter before: The index's position when that was asked for.
  /// - Throws: ``IsElsewhere`` if another process has taken everything meanwhile; errors of the disk.
  /// - Complexity: O(*n*) in the bytes of all documents.
  func take(_ snapshot: SyncSnapshot, askedFor before: SyncPosition?) throws {
    try state.withLock { state in
      try index.refresh()
      let known = index.position
      var readingCount = index.readingCount
      if snapshot.isOvertaken(by: known, askedFor: before) { return }
      state.unreadable = []
      state.collection = snapshot.items[AssetCollection.key]?.revision ?? 0
      // Each commit from here has raised it.
      let record = snapshot.items[try origin]?.revision ?? 0
      if record != state.record { isUnanswered.store(true, ordering: .releasing) }
      var received: [Received] = []
      for (key, item) in snapshot.items {
        if let name = name(of: key) {
          received.append(
            Received(
              name: name, text: item.value, revision: item.revision,
              engineRevision: snapshot.revision, mayBeOurs: item.revision <= record,
              missingAssets: assets(in: item.value, missingIn: snapshot)))
        }
      }
      // What was acknowledged there may not be here. An engine that was set back, and has grown since, has older changes
      // than the last one of a document.
      let isNew =
        known.map { $0.cluster != snapshot.cluster || $0.revision > snapshot.revision } ?? true
        || received.contains { received in
          let last = index[received.name].lastRevision
          return received.revision < last && last <= snapshot.revision
        }
      // What is taken until a process ends is known to be of this engine: what others remove then was there. All is read
      // again, since there is a doubt.
      if isNew {
        let isCurrent = try index.update(
          cluster: snapshot.cluster, revision: snapshot.revision, doubt: .damaged,
          readingCount: readingCount
        ) { Self.forgotten($0.names, in: $0) }
        // Another process has just taken everything.
        guard isCurrent else { throw IsElsewhere() }
        readingCount &+= 1
        try index.makeDurable()
      }
      received.sort { $0.name < $1.name }
      try take(received, readingCount, keepsBasesLater: true, &state)
      let names = Set(received.map(\.name))
      while true {
        try takeMissing(than: names, in: snapshot, record, readingCount, &state)
        // A power cut must not leave only that there is no doubt: what this engine never had would count as removed.
        if isNew { try index.makeDurable() }
        let isDone = try index.update(
          cluster: snapshot.cluster, revision: snapshot.revision, readingCount: readingCount
        ) { entries in
          // Another process may follow, and have noted more that was removed since.
          let isLeft = missing(entries.names, than: names).contains { name in
            let entry = entries[name]
            let revision = (entry.coming ?? entry.base)?.revision ?? 0
            return !entry.isBehind && revision > 0 && revision < snapshot.revision
          }
          return isLeft ? nil : [:]
        }
        if isDone { break }
        guard index.readingCount == readingCount else { throw IsElsewhere() }
      }
      sendRefusedAgain()
    }
  }

  /// Takes that an engine does not have the other documents of which something is known.
  private func takeMissing(
    than names: Set<String>, in snapshot: SyncSnapshot, _ record: UInt64, _ readingCount: UInt64,
    _ state: inout State
  ) throws {
    let missing = missing(index.names, than: names)
    // The engine never had those, or has lost them, also if that was found before.
    var lost: Set<String> = []
    try index.update(readingCount: readingCount) { entries in
      lost = missing.filter { entries[$0].coming == nil && entries[$0].isUnrelated }
      return Self.forgotten(lost, in: entries)
    }
    let removed = missing.subtracting(lost).map { name in
      Received(
        name: name, text: nil, revision: snapshot.revision, engineRevision: snapshot.revision,
        mayBeOurs: index[name].revision < record)
    }
    try take(removed, readingCount, &state)
  }

  /// The documents among some names that an engine does not have: of those whose names this version of the app does not
  /// know, it may have each.
  private func missing(_ known: Set<String>, than names: Set<String>) -> Set<String> {
    known.subtracting(names).filter(documents.isName)
  }

  private static func forgotten(
    _ names: Set<String>, in entries: DocumentIndex.Entries
  ) -> [String: DocumentIndex.Entry] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, entries[$0].forgotten()) })
  }

  /// Whether a commit may be one that was not answered: it is taken once it is, or another one is, so that no process
  /// counts as sent what is less durable.
  func mustWait(for change: SyncChange) throws -> Bool {
    guard change.writes[try origin] != nil else { return false }
    return isUnanswered.load(ordering: .acquiring)
      && state.withLock { change.revision > $0.record }
  }

  /// Takes a commit.
  ///
  /// - Parameter met: What the index was about when the connection last brought something.
  /// - Throws: ``IsElsewhere`` if it is about something else now, or another process has taken everything meanwhile;
  ///   errors of the disk.
  func take(_ change: SyncChange, after met: SyncPosition? = nil) throws {
    try state.withLock { state in
      try index.refresh()
      let readingCount = index.readingCount
      if let met { try check(met) }
      if change.writes[AssetCollection.key] != nil { state.collection = change.revision }
      let isOurs = change.writes[try origin] != nil
      if isOurs, change.revision > state.record { isUnanswered.store(true, ordering: .releasing) }
      var received: [Received] = []
      for (key, value) in change.writes {
        if let name = name(of: key) {
          received.append(
            Received(
              name: name, text: value, revision: change.revision,
              engineRevision: change.revision, mayBeOurs: isOurs))
        }
      }
      try take(received, readingCount, through: change.revision, &state)
    }
  }

  /// Whether an engine has all that is known of it: whether it is the one that the index is about, and was not set back.
  ///
  /// - Complexity: O(*n*) in the number of documents.
  func isKnown(_ engine: SyncPosition) -> Bool {
    guard let known = index.position else { return false }
    return known.cluster == engine.cluster && known.revision <= engine.engineRevision
  }

  /// Throws ``IsElsewhere`` if the index is no longer about an engine, from a revision on.
  func check(_ met: SyncPosition) throws {
    try index.refresh()
    let log = index.log
    guard log.cluster == met.cluster, log.revision >= met.revision, log.doubt == nil else {
      throw IsElsewhere()
    }
  }

  /// Whether changes were refused for others that should have come by now.
  ///
  /// - Parameter revision: Until which these should come; becomes nil if there are none.
  func lacksRefused(through revision: inout UInt64?) -> Bool {
    if !waiting.withLock({ $0.hasRefused }) { revision = nil }
    return revision.map { index.log.revision >= $0 } ?? false
  }

  private func name(of key: SyncKey) -> String? {
    guard case .value(let bytes) = key, key != AssetCollection.key,
      AssetManifest.name(of: key) == nil
    else { return nil }
    guard let name = String(validating: bytes, as: UTF8.self), documents.isName(name) else {
      documents.report(
        DocumentError(
          sharedName: String(decoding: bytes, as: UTF8.self), "is not the name of a document"))
      return nil
    }
    return name
  }
}
