import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings

extension DocumentExchange {
  /// Takes everything that the engine has.
  ///
  /// - Parameter before: The index's position when that was asked for.
  /// - Complexity: O(*n*) in the bytes of all documents.
  func take(_ snapshot: SyncSnapshot, askedFor before: SyncPosition?) throws {
    try state.withLock { state in
      try index.refresh()
      let (known, readingCount) = (index.position, index.readingCount)
      if snapshot.isOvertaken(by: known, askedFor: before) { return }
      state.unreadable = []
      state.collection = snapshot.items[AssetCollection.key]?.revision ?? 0
      // Each commit from here has raised it.
      let record = snapshot.items[try origin]?.revision ?? 0
      if record != state.record { state.isUnanswered = true }
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
          index[received.name].base.map {
            received.revision < $0.revision && $0.revision <= snapshot.revision
          } ?? false
        }
      // What is taken until a process ends is known to be of this engine: what others remove then was there. All is read
      // again, since there is a doubt.
      if isNew {
        let isCurrent = try index.update(
          forgetting(index.names), cluster: snapshot.cluster, revision: snapshot.revision,
          doubt: .damaged, readingCount: readingCount)
        // Another process has just taken everything.
        if !isCurrent { return }
        try index.makeDurable()
      }
      let names = Set(received.map(\.name))
      var lost: Set<String> = []
      for name in index.names where !names.contains(name) {
        let known = index[name]
        // The engine never had it, or has lost it, also if that was found before.
        if known.isUnrelated {
          lost.insert(name)
        } else {
          received.append(
            Received(
              name: name, text: nil, revision: snapshot.revision,
              engineRevision: snapshot.revision, mayBeOurs: known.revision < record))
        }
      }
      if !lost.isEmpty, !isNew { try index.update(forgetting(lost)) }
      try take(received.sorted { $0.name < $1.name }, keepsBasesLater: true, &state)
      // A power cut must not leave only that there is no doubt: what this engine never had would count as removed.
      if isNew { try index.makeDurable() }
      try index.update([:], cluster: snapshot.cluster, revision: snapshot.revision)
      sendRefusedAgain()
    }
  }

  private func forgetting(
    _ names: Set<String>
  ) -> [String: (DocumentIndex.Entry) -> DocumentIndex.Entry] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, { $0.forgotten() }) })
  }

  /// Whether a commit may be one that was not answered: it is taken once it is, or another one is, so that no process
  /// counts as sent what is less durable.
  func mustWait(for change: SyncChange) throws -> Bool {
    guard change.writes[try origin] != nil else { return false }
    return state.withLock { $0.isUnanswered && change.revision > $0.record }
  }

  /// Takes a commit.
  ///
  /// - Parameter met: What the index was about when the connection last brought something.
  /// - Throws: ``IsElsewhere`` if it is about something else now; errors of the disk.
  func take(_ change: SyncChange, after met: SyncPosition? = nil) throws {
    try state.withLock { state in
      try index.refresh()
      let readingCount = index.readingCount
      if let met { try check(met) }
      if change.writes[AssetCollection.key] != nil { state.collection = change.revision }
      let isOurs = change.writes[try origin] != nil
      if isOurs, change.revision > state.record { state.isUnanswered = true }
      var received: [Received] = []
      for (key, value) in change.writes {
        if let name = name(of: key) {
          received.append(
            Received(
              name: name, text: value, revision: change.revision,
              engineRevision: change.revision, mayBeOurs: isOurs))
        }
      }
      try take(received, through: change.revision, readingCount: readingCount, &state)
    }
  }

  /// Whether an engine has all that is known of it: whether it is the one that the index is about, and was not set back.
  ///
  /// - Complexity: O(*n*) in the number of documents.
  func isKnown(_ engine: SyncPosition) -> Bool {
    guard let known = index.position else { return false }
    return known.cluster == engine.cluster && known.revision <= engine.revision
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

  /// What an engine has of a document.
  private struct Received {
    var name: String
    /// Nil if it was removed.
    var text: [UInt8]?
    var revision: UInt64
    /// The engine's revision when it had that.
    var engineRevision: UInt64
    /// Whether it may have come from here: others may have made the same text.
    var mayBeOurs: Bool
    /// The assets that it names, and that the engine does not have, or may not have.
    var missingAssets: [String] = []
  }

  /// Whether what was received is not later than what is known of the document: another process has taken it, or
  /// something later, or the document was removed since.
  private func isOld(_ received: Received, _ known: DocumentIndex.Entry) -> Bool {
    if received.revision <= known.revision { return true }
    // Of what was removed since nothing is known, or that the engine has lost it. A removal may have been noted by a
    // process that was ended before it was made.
    return received.text != nil && index.log.revision > received.engineRevision
      && known.base?.revision ?? 0 == 0 && !known.isBehind
  }

  /// What is known of a document of which something old was received; nil if nothing else is.
  private func keptEntry(
    _ known: DocumentIndex.Entry, afterOld received: Received
  ) -> DocumentIndex.Entry? {
    waiting.withLock { $0.again(received.name) }
    // The report of a removal ends that older ones are recognized by it.
    return known.removedRevision == received.revision ? DocumentIndex.Entry() : nil
  }

  /// - Parameters:
  ///   - revision: The engine's revision up to which everything has come with them; nil if that is noted later.
  ///   - readingCount: How often everything of the engine had been read when they came; nil if they are everything.
  ///   - keepsBasesLater: Whether ``keepSomeBases()`` will keep those of documents of which nothing was known.
  private func take(
    _ received: [Received], through revision: UInt64? = nil, readingCount: UInt64? = nil,
    keepsBasesLater: Bool = false, _ state: inout State
  ) throws {
    var entries: [String: DocumentIndex.Entry] = [:]
    var behind: Set<String> = []
    var (files, plain): ([SharedDocument], [Received]) = ([], [])
    var length = 0
    /// What is written here, and what the files had before.
    var written: [SharedDocument] = []
    func writeAll(through revision: UInt64?, _ state: inout State) throws {
      while !files.isEmpty {
        // Another process may have taken this, and later commits after which the files are the same again.
        let isComing = try noteComing(
          plain, isNew: files.contains { $0.found == nil }, readingCount)
        var new: [Int] = []
        for (place, received) in plain.enumerated() {
          if isComing[place] {
            new.append(place)
          } else {
            entries[received.name] = keptEntry(index[received.name], afterOld: received)
          }
        }
        (files, plain) = (new.map { files[$0] }, new.map { plain[$0] })
        if files.isEmpty { break }
        if let stamps = try documents.write(files) {
          written += files
          for (received, stamp) in zip(plain, stamps) {
            let known = index[received.name]
            let isLater = keepsBasesLater && known.base == nil
            let entry = try entry(of: received, known, keepsBase: !isLater)
            entries[received.name] = entry
            if isLater {
              state.withoutBase.insert(received.name)
              state.digests[received.name] = entry.base.map { (stamp, $0.digest) }
            }
          }
          break
        }
        // One of them was changed meanwhile, or an asset was removed.
        var same = files.indices.filter {
          (try? [documents.content(of: files[$0].name)]) == [files[$0].found]
        }
        if same.count == files.count { same = [] }
        for place in Set(files.indices).subtracting(same) {
          entries[plain[place].name] = try settle(plain[place], readingCount, &state)
        }
        (files, plain) = (same.map { files[$0] }, same.map { plain[$0] })
      }
      if !state.notDurable.isEmpty {
        try documents.makeDurable(state.notDurable)
        state.notDurable = []
      }
      (files, plain, length) = ([], [], 0)
      let taken = Dictionary(received.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
      var changes: [String: (DocumentIndex.Entry) -> DocumentIndex.Entry] = [:]
      for (name, entry) in entries {
        guard let received = taken[name] else { continue }
        changes[name] = { before in
          var before = before
          if !self.isOld(received, before) { return entry }
          if before.removedRevision == received.revision { before.removedRevision = nil }
          return before
        }
      }
      for name in behind {
        guard let received = taken[name] else { continue }
        changes[name] = { before in
          if self.isOld(received, before) { return before }
          var entry = before
          entry.isBehind = true
          return entry
        }
      }
      guard try index.update(changes, revision: revision, readingCount: readingCount) else {
        throw IsElsewhere()
      }
      for file in written { try takeBackIfLate(file) }
      (entries, behind, written) = ([:], [], [])
    }
    for received in received {
      var known = index[received.name]
      state.unreadable.remove(received.name)
      if isOld(received, known) {
        entries[received.name] = keptEntry(known, afterOld: received)
        continue
      }
      let ours: [UInt8]?
      do {
        ours = try documents.content(of: received.name)
      } catch {
        // One that cannot be read holds up no other, and is taken once it can.
        behind.insert(received.name)
        waiting.withLock { waiting in
          waiting.again(received.name)
          waiting.tell(received.name)
        }
        continue
      }
      let digest = ours?.digest
      known = known.found(digest)
      // Another process has just written something later.
      if known.revision > received.revision {
        entries[received.name] = keptEntry(known, afterOld: received)
        continue
      }
      if let text = received.text, ours == nil || !known.isUnrelated, ours != text,
        digest == known.base?.digest,
        !received.mayBeOurs || !known.sent.contains(text.digest),
        text.parseError == nil
      {
        files.append(SharedDocument(name: received.name, found: ours, text: text))
        plain.append(received)
        length += text.count + (ours?.count ?? 0)
      } else {
        entries[received.name] = try settle(received, readingCount, &state)
      }
      if files.count + entries.count >= 4096 || length > 16 << 20 {
        try writeAll(through: nil, &state)
      }
    }
    try writeAll(through: revision, &state)
  }

  /// Notes what files are to have next: if this process ends once they have it, or the power goes, that counts as
  /// received, and not as made here.
  ///
  /// - Parameter isNew: Whether there is none of one of them. Then this is flushed first: otherwise a power cut could
  ///   leave a document that others have removed since, and it would be sent as a new one.
  /// - Returns: For each, whether that is so; what is known of the others is later.
  private func noteComing(
    _ received: [Received], isNew: Bool, _ readingCount: UInt64?
  ) throws -> [Bool] {
    let coming = received.map { received in
      DocumentIndex.Base(revision: received.revision, digest: received.text.sentDigest)
    }
    var changes: [String: (DocumentIndex.Entry) -> DocumentIndex.Entry] = [:]
    for (received, coming) in zip(received, coming) {
      changes[received.name] = { entry in
        if self.isOld(received, entry) { return entry }
        var entry = entry
        entry.coming = coming
        return entry
      }
    }
    guard try index.update(changes, readingCount: readingCount) else { throw IsElsewhere() }
    if isNew { try index.makeDurable() }
    return zip(received, coming).map { index[$0.name].coming == $1 }
  }

  /// Takes back what was written here after another process had received something later in which the file was as it
  /// was before.
  private func takeBackIfLate(_ file: SharedDocument) throws {
    let known = index[file.name].base?.digest
    guard known != file.text.digest, known == file.found?.digest else { return }
    _ = try replace(file.name, file.text, by: file.found)
  }

  /// What is known of a document after the file has what was received.
  private func entry(
    of received: Received, _ known: DocumentIndex.Entry, keepsBase: Bool = true
  ) throws -> DocumentIndex.Entry {
    if keepsBase { try keepBase(received.text, as: received.name) }
    guard let text = received.text else { return DocumentIndex.Entry() }
    return DocumentIndex.Entry(
      base: DocumentIndex.Base(
        revision: received.revision, digest: text.digest),
      missingAssets: assets(
        Set(known.missingAssets).union(received.missingAssets).sorted(), namedIn: text))
  }

  /// Brings what was received and what is here together.
  ///
  /// - Returns: What is known then; nil if nothing else is.
  private func settle(
    _ received: Received, _ readingCount: UInt64?, _ state: inout State
  ) throws -> DocumentIndex.Entry? {
    let name = received.name
    for _ in 0..<100 {
      let ours = try documents.content(of: name)
      // Another process writes a file before it notes that in the index, and what is here is replaced only if it is
      // still what was read. So what has come of it until now is known, or in the file that was read.
      try index.refresh()
      if isOld(received, index[name]) { return keptEntry(index[name], afterOld: received) }
      let (mine, theirs) = (ours?.digest, received.text?.digest)
      let known = index[name].found(mine)
      if known.revision > received.revision { return keptEntry(known, afterOld: received) }
      // What another engine has, or one that was set back, was not made from what is here.
      let base = known.isUnrelated ? nil : known.base?.digest
      // What is known must not be ahead of the file, which an editor may have written.
      var isKept = ours != nil
      if mine == theirs {
        // There is nothing to do.
      } else if received.mayBeOurs, known.sent.contains(received.text.sentDigest) {
        // It came from here, and what is here now was made from it.
      } else if let text = received.text, let error = text.parseError {
        // It is not known what would be lost in its place.
        state.unreadable.insert(name)
        documents.report(
          DocumentError(sharedName: name, "is not a document on other machines: \(error)"))
        return nil
      } else if base == nil, ours != nil, let text = received.text,
        documents.pastVersion(of: name, digest: text.digest) == text
      {
        // The engine was set back to what this was made from.
      } else if mine == base {
        isKept = false
        guard try replace(ours, by: received, readingCount) else { continue }
      } else if let text = received.text, let ours {
        let base = theirs == base ? text : baseText(of: name, base)
        guard let settlement = try documents.settle(name, base: base, ours: ours, theirs: text)
        else { continue }
        if let copy = settlement.copy { try index.note(copy: copy, of: name) }
      } else if received.text != nil {
        // It was removed here, and changed there: what somebody made counts.
        guard try replace(nil, by: received, readingCount) else { continue }
      }
      if isKept { state.notDurable.append(name) }
      waiting.withLock { waiting in
        waiting.again(name)
        waiting.tell(name)
      }
      var received = received
      if known.base?.revision ?? 0 == 0, received.revision == received.engineRevision, ours != nil,
        let text = received.text
      {
        // Who has sent it may lack assets that are here.
        received.missingAssets += try assets(in: text).filter(documents.hasAsset)
      }
      var entry = try entry(of: received, known)
      // What was sent may be made after this removal.
      if theirs == nil, mine != nil { entry.sent = known.sent }
      return entry
    }
    throw DocumentError(sharedName: name, "cannot be taken, since the file changes all the time")
  }

  private func replace(
    _ ours: [UInt8]?, by received: Received, _ readingCount: UInt64?
  ) throws -> Bool {
    if received.text != nil {
      _ = try noteComing([received], isNew: ours == nil, readingCount)
    }
    return try replace(received.name, ours, by: received.text)
  }

  private func replace(_ name: String, _ ours: [UInt8]?, by text: [UInt8]?) throws -> Bool {
    if let text {
      return try documents.write([SharedDocument(name: name, found: ours, text: text)]) != nil
    }
    guard let ours else { return true }
    return try documents.remove(name, ifStill: ours)
  }
}
