import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings

extension DocumentExchange {
  /// A commit, and the documents that it has.
  struct Batch {
    var commit = SyncCommit(conditions: [:], writes: [:])
    var documents: [Sending] = []
    var names: [String] { documents.map(\.name) }
    /// The assets that the engine must have before it is performed.
    var assets: Set<String> = []
    /// How often everything of the engine had been read then.
    var readingCount: UInt64 = 0
  }

  /// A document of which something is sent.
  struct Sending {
    var name: String
    /// What the index said of it when this was found.
    var known: DocumentIndex.Entry
    /// What it was when it was read; nil if it was removed.
    var text: [UInt8]?
    /// The engine's revision of what it was made from; zero if the engine has none.
    var base: UInt64
    /// Whether it is the base, in place of what was sent and undone here, or with assets that were missing.
    var isUndone = false
    /// The assets that it names, and what it was made from does not.
    var assets: Set<String> = []
    /// Those that it names and that are missing here and in the engine.
    var missingAssets: Set<String> = []
    /// How much of a commit it takes.
    var length: Int { name.utf8.count + (text?.count ?? 0) }
  }

  /// The next changes that the engine is to make; nil if there are none.
  ///
  /// - Parameters:
  ///   - count: How many documents it has at most.
  ///   - except: The names of documents that are left out.
  /// - Throws: ``IsBehind`` if everything is to be read again first; ``IsElsewhere`` if another directory is in the
  ///   documents' place; errors of the disk.
  /// - Complexity: O(*n*) in the bytes of the documents that may be changed.
  func nextBatch(of count: Int = .max, except: Set<String> = []) throws -> Batch? {
    try state.withLock { state in
      var (except, failure) = (except, (any Error)?.none)
      while true {
        try index.refresh()
        let readingCount = index.readingCount
        let found = try firstChanges(of: count, except: except, &state, &failure)
        if found.isEmpty { break }
        let durable = flushed(found, &failure)
        if durable.isEmpty {
          except.formUnion(found.map(\.sending.name))
        } else if let batch = try batch(of: durable, readingCount, state) {
          return batch
        }
      }
      if let failure { throw failure }
      return nil
    }
  }

  /// A change, and what was noted of it when it was found.
  private typealias Found = (sending: Sending, entry: WaitingDocuments.Entry)

  /// The changes that were noted first, as many as one commit takes.
  ///
  /// - Parameter failure: Becomes why one cannot be read, which holds up no other.
  private func firstChanges(
    of count: Int, except: Set<String>, _ state: inout State, _ failure: inout (any Error)?
  ) throws -> [Found] {
    var found: [Found] = []
    var (assets, length): (Set<String>, Int) = ([], 0)
    for slot in waiting.withLock({ $0.slots() }) where !except.contains(slot.name) {
      guard let entry = waiting.withLock({ $0.entry(at: slot) }) else { continue }
      let room = limits.writes - (assets.isEmpty ? 0 : 1)
      if found.count >= max(1, min(count, room)) { break }
      if waits(index[entry.name], state) { continue }
      let change: Sending?
      do {
        change = try self.change(of: entry.name, &state)
      } catch let error as IsBehind {
        throw error
      } catch {
        failure = error
        continue
      }
      guard let sending = change else {
        waiting.withLock { $0.compared(entry, isSending: false) }
        continue
      }
      length += sending.length
      if length > limits.batchLength, !found.isEmpty { break }
      // What has assets waits for them, and nothing else does.
      let isFull = assets.isEmpty != sending.assets.isEmpty || assets.count >= 16
      if isFull, !found.isEmpty { break }
      assets.formUnion(sending.assets)
      found.append((sending, entry))
    }
    return found
  }

  /// Flushes changes before they are sent: what a power cut took back would be sent as a change to what was sent.
  ///
  /// - Parameter failure: Becomes why one cannot be flushed, which holds up no other.
  /// - Returns: Those that are on disk.
  private func flushed(_ found: [Found], _ failure: inout (any Error)?) -> [Found] {
    do {
      try documents.makeDurable(found.map(\.sending.name))
      return found
    } catch {
      failure = error
      return found.filter { (try? documents.makeDurable([$0.sending.name])) != nil }
    }
  }

  /// Notes what is sent.
  ///
  /// - Returns: Those changes of which no other process has noted anything since they were found; nil if there are none.
  private func batch(
    of found: [Found], _ readingCount: UInt64, _ state: State
  ) throws -> Batch? {
    // Of another directory, what was just read was not made from what the index says.
    try index.checkDirectory()
    var found = found
    let isNoted = try index.update { entries in
      found = found.filter { entries[$0.sending.name] == $0.sending.known }
      if found.isEmpty { return nil }
      var changed: [String: DocumentIndex.Entry] = [:]
      for sending in found.map(\.sending) {
        var entry = sending.known
        let digest = sending.text.sentDigest
        if !entry.sent.contains(digest) { entry.sent.append(digest) }
        // Where all is rejected, many are sent in vain; and one that was made has the next one refused.
        entry.sent.removeFirst(max(0, entry.sent.count - 100))
        changed[sending.name] = entry
      }
      return changed
    }
    if !isNoted { return nil }
    var batch = Batch(documents: found.map(\.sending), readingCount: readingCount)
    for sending in batch.documents {
      batch.assets.formUnion(sending.assets)
      let key = SyncKey(document: sending.name)
      batch.commit.conditions[key] = sending.base
      batch.commit.writes.updateValue(sending.text, forKey: key)
    }
    let origin = try origin
    batch.commit.conditions[origin] = state.record
    batch.commit.writes[origin] = []
    if !batch.assets.isEmpty { batch.commit.conditions[AssetCollection.key] = state.collection }
    waiting.withLock { waiting in
      for (_, entry) in found { waiting.compared(entry, isSending: true) }
    }
    return batch
  }

  /// What is to be sent of a document, if anything.
  func change(of name: String, _ state: inout State) throws -> Sending? {
    guard documents.isName(name), !state.unreadable.contains(name) else { return nil }
    var entry = index[name]
    var base = entry.base
    let stamp = try documents.stamp(of: name)
    if let stamp, let known = state.digests[name], known.stamp == stamp,
      known.text == base?.digest, base?.revision != 0, !entry.isBehind, entry.missingAssets.isEmpty
    {
      waiting.withLock { _ = $0.tooLarge.remove(name) }
      return nil
    }
    let text = try documents.content(of: name)
    if entry.isBehind {
      if let held = state.held[name], .now < held.end { throw held.error }
      throw IsBehind()
    }
    // What was merged is sent once that has come again: its base is kept then.
    if let coming = entry.coming, text?.digest == coming.digest {
      try resolveComing(of: name, entry)
      entry = index[name]
      base = entry.base
    }
    state.digests[name] = nil
    if text == nil { try index.note(copy: name, of: nil) }
    waiting.withLock { _ = $0.tooLarge.remove(name) }
    let isLostThere = base?.revision == 0
    // It was sent without them: it is sent again, so that others fetch them.
    let foundAssets = try entry.missingAssets.filter(hasWhole)
    // Where something was sent, and taken back here before it was made, the base is sent: what is made later is not what
    // was taken back.
    if text?.digest == base?.digest, !isLostThere, entry.sent.isEmpty, foundAssets.isEmpty {
      if let text, let base, let stamp,
        bases.restore(text, as: name, writtenAt: stamp.modified), stamp.isSettled,
        try documents.stamp(of: name) == stamp
      {
        state.digests[name] = (stamp, base.digest)
      }
      return nil
    }
    if let text {
      // An editor may be writing it; and what is not a document here is not one elsewhere.
      guard text.parseError == nil else { return nil }
    } else if try documents.isLost(name, wholeAt: bases.time(of: name)) {
      // Without a base there is nothing to be given back.
      if try base != nil && !restore(name, entry) && !isLostThere { try noteBehind(name) }
      return nil
    } else if isLostThere {
      if entry.sent.isEmpty {
        try index.update(name) { $0 == entry ? DocumentIndex.Entry() : $0 }
      }
      return nil
    }
    if waiting.withLock({ $0.isRefused(name) }) { return nil }
    var sending = Sending(name: name, known: entry, text: text, base: base?.revision ?? 0)
    sending.isUndone = text?.digest == base?.digest && !isLostThere
    guard limits.allow(keyLength: name.utf8.count, length: sending.length) else {
      waiting.withLock { _ = $0.tooLarge.insert(name) }
      return nil
    }
    var assets = text.map { documents.assets(in: $0, ofAnyType: true) } ?? []
    if !assets.isEmpty, !isLostThere, let text = baseText(of: name, base?.digest) {
      assets.subtract(documents.assets(in: text, ofAnyType: true).subtracting(foundAssets))
    }
    sending.assets = assets
    sending.missingAssets = Set(self.assets(entry.missingAssets, namedIn: text))
      .subtracting(assets)
    return sending
  }

  /// Restores a document that was damaged here.
  ///
  /// - Returns: False if the engine is to be asked what it was: that is not known here any more, or an asset is missing.
  private func restore(_ name: String, _ known: DocumentIndex.Entry) throws -> Bool {
    guard let base = known.base, let text = baseText(of: name, base.digest),
      text.parseError == nil,
      try base.revision == 0
        || assets(in: text).allSatisfy({
          try known.missingAssets.contains($0) || documents.hasAsset($0)
        })
    else { return false }
    // If something else was, it is compared again.
    if try !writeBack(text, as: name, known) { note([name]) }
    return true
  }

  /// Notes that what the engine has of a document is to be taken again.
  private func noteBehind(_ name: String) throws -> Never {
    try index.update(name) { DocumentIndex.Entry(sent: $0.sent, isBehind: true) }
    throw IsBehind()
  }

  /// A commit that cannot be made, and whose answer is needed; nil if there is none.
  func question() throws -> SyncCommit? {
    let origin = try origin
    return isUnanswered.load(ordering: .acquiring) ? SyncCommit(reading: [origin]) : nil
  }

  /// Takes the answer to ``question()``.
  func take(answer: SyncCommit.Result) throws {
    let origin = try origin
    state.withLock { state in
      isUnanswered.store(false, ordering: .releasing)
      if case .refused(let current) = answer { takeRecord(current[origin], &state) }
    }
  }

  private func takeRecord(_ record: SyncItem?, _ state: inout State) {
    state.record = record?.revision ?? 0
    state.shown = Moment(revision: state.record, readingCount: index.readingCount)
  }

  /// Notes the revision of the engine's last commit when a connection began.
  func noteOpened(through revision: UInt64) {
    state.withLock { state in
      state.opened = Moment(revision: revision, readingCount: index.readingCount)
      // It was set back since.
      if state.shown.revision > revision { state.shown = Moment() }
    }
  }

  /// Whether a document may have been created in the engine, and removed since, so that all must come first.
  private func waits(_ known: DocumentIndex.Entry, _ state: State) -> Bool {
    if known.base?.revision ?? 0 > 0 { return false }
    return !hasAll(through: state.shown) || known.base != nil && !hasAll(through: state.opened)
  }

  /// Whether everything has come up to a revision.
  private func hasAll(through moment: Moment) -> Bool {
    index.readingCount != moment.readingCount || index.log.revision >= moment.revision
  }

  /// Notes that an engine is given a commit, or has rejected it: it may never give another answer then.
  func noteAnswer(isMissing: Bool) { isUnanswered.store(isMissing, ordering: .releasing) }

  /// Notes that it is not known whether a commit was made.
  func sendAgain(_ batch: Batch) {
    waiting.withLock { waiting in for sending in batch.documents { waiting.again(sending.name) } }
  }

  /// Notes that the engine does not take what was undone, and need not: what is here is the base.
  func leave(_ batch: Batch) {
    waiting.withLock { waiting in for sending in batch.documents { waiting.sent(sending.name) } }
  }

  /// Compares what was refused, and sends it, again.
  func sendRefusedAgain() { waiting.withLock { $0.refusedAgain() } }

  /// Takes the answer to a commit.
  ///
  /// - Returns: Whether the engine has had other changes, which must come first.
  /// - Throws: Errors of the disk.
  func take(_ result: SyncCommit.Result, for batch: Batch) throws -> Bool {
    try state.withLock { state in
      isUnanswered.store(false, ordering: .releasing)
      switch result {
      case .committed(let revision):
        state.record = max(state.record, revision)
        let isNoted = try note(batch, at: revision)
        waiting.withLock { waiting in
          for sending in batch.documents {
            if isNoted { waiting.sent(sending.name) } else { waiting.again(sending.name) }
          }
        }
        return false
      case .refused(let current):
        takeRecord(current[try origin], &state)
        if !batch.assets.isEmpty {
          state.collection = current[AssetCollection.key]?.revision ?? 0
        }
        let refused = batch.documents.filter {
          current[SyncKey(document: $0.name)]?.revision ?? 0 != $0.base
        }
        waiting.withLock { waiting in
          for sending in refused { waiting.refuse(sending.name) }
          // The others are sent without them.
          for sending in batch.documents { waiting.sendingAgain(sending.name) }
        }
        return !refused.isEmpty
      }
    }
  }

  /// - Returns: False if another process has read everything since: it may have been of another engine, or of one that
  ///   does not have this any more.
  private func note(_ batch: Batch, at revision: UInt64) throws -> Bool {
    try index.refresh()
    if index.readingCount != batch.readingCount { return false }
    // Its own report may have come first.
    let sent = batch.documents.filter { index[$0.name].revision < revision }
    for sending in sent { try keepBase(sending.text, as: sending.name) }
    return try index.update(readingCount: batch.readingCount) { entries in
      var changed: [String: DocumentIndex.Entry] = [:]
      for sending in sent where entries.revision < revision {
        let known = entries[sending.name]
        if known.revision >= revision { continue }
        var entry = DocumentIndex.Entry(isBehind: known.isBehind)
        if let text = sending.text {
          entry.base = DocumentIndex.Base(revision: revision, digest: text.digest)
          entry.missingAssets = sending.missingAssets.sorted()
        } else if sending.base == 0 {
          // There was nothing, of which no report comes.
          entry.removedRevision = known.removedRevision
        } else {
          // Reports of what was there before it was removed may still come.
          entry.removedRevision = revision
        }
        // Another process may have written it already.
        if let coming = known.coming, coming.revision > revision {
          (entry.coming, entry.merged) = (coming, known.merged)
        }
        changed[sending.name] = entry
      }
      return changed
    }
  }
}
