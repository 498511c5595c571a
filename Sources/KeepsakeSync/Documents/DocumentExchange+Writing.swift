import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// What a process writes, and what it notes of that, depends on what it knew: both are done on the condition that the
/// index still says so, since another process may be faster.
extension DocumentExchange {
  typealias Entry = DocumentIndex.Entry

  /// What an engine has of a document.
  struct Received {
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

    var base: DocumentIndex.Base {
      DocumentIndex.Base(revision: revision, digest: text.sentDigest)
    }
  }

  /// What was received, and is to replace a file.
  private struct Replacement {
    var received: Received
    /// What the index says of the document.
    var known: Entry
    var file: SharedDocument
    /// Whether it was merged with what is here.
    var isMerged = false
    var name: String { file.name }
  }

  /// What is to be noted of a document.
  private struct Outcome {
    var received: Received
    /// What the index says of it.
    var known: Entry
    var entry: Entry
    /// Whether the file has it with what was changed here.
    var isMerged = false
    /// Whether it is that the file has what was received.
    var isReceived: Bool { entry.base == received.base }
  }

  /// Takes what an engine has of documents.
  ///
  /// - Parameters:
  ///   - readingCount: How often everything of the engine had been read when they came.
  ///   - revision: The engine's revision up to which everything has come with them; nil if that is noted later.
  ///   - keepsBasesLater: Whether ``keepSomeBases()`` will keep those of documents of which nothing was known.
  func take(
    _ received: [Received], _ readingCount: UInt64, through revision: UInt64? = nil,
    keepsBasesLater: Bool = false, _ state: inout State
  ) throws {
    var (outcomes, replacements): ([String: Outcome], [Replacement]) = ([:], [])
    var length = 0
    func finish(through revision: UInt64?, _ state: inout State) throws {
      try write(replacements, readingCount, keepsBasesLater, &outcomes, &state)
      try note(outcomes, readingCount, through: revision, &state)
      (outcomes, replacements, length) = ([:], [], 0)
    }
    for received in received {
      let (name, known) = (received.name, index[received.name])
      state.unreadable.remove(name)
      if isOld(received, known, index.log.revision) {
        outcomes[name] = outcome(ofOld: received, known)
        continue
      }
      let ours: [UInt8]?
      do {
        ours = try documents.content(of: name)
      } catch {
        // One that cannot be read holds up no other, and is taken once it can.
        outcomes[name] = behind(received)
        continue
      }
      if let text = received.text, ours == nil || !known.isUnrelated, ours != text,
        ours?.digest == known.base?.digest, [nil, received.base].contains(known.coming),
        !received.mayBeOurs || !known.sent.contains(text.digest),
        text.parseError == nil
      {
        let file = SharedDocument(name: name, found: ours, text: text)
        replacements.append(Replacement(received: received, known: known, file: file))
        length += text.count + (ours?.count ?? 0)
      } else {
        let outcome = try settleOrHold(received, readingCount, &state)
        if let outcome, outcome.isMerged {
          // Once the file is changed again, nothing else says that it was made from this.
          try note([name: outcome], readingCount, through: nil, &state)
        } else {
          outcomes[name] = outcome
        }
      }
      if replacements.count + outcomes.count >= 4096 || length > 16 << 20 {
        try finish(through: nil, &state)
      }
    }
    try finish(through: revision, &state)
  }

  /// Notes outcomes; those of documents of which another process has noted something meanwhile are found again.
  private func note(
    _ outcomes: [String: Outcome], _ readingCount: UInt64, through revision: UInt64?,
    _ state: inout State
  ) throws {
    var outcomes = outcomes
    while true {
      if !state.notDurable.isEmpty {
        try documents.makeDurable(state.notDurable)
        state.notDurable = []
      }
      var overtaken: [Received] = []
      let isNoted = try index.update(revision: revision, readingCount: readingCount) { entries in
        overtaken = outcomes.values.filter { outcome in
          let known = entries[outcome.received.name]
          return known != outcome.known
            || outcome.isReceived && isOld(outcome.received, known, entries.revision)
        }.map(\.received)
        return overtaken.isEmpty ? outcomes.mapValues(\.entry) : nil
      }
      if isNoted {
        for (name, outcome) in outcomes where !outcome.entry.isBehind { state.held[name] = nil }
        return
      }
      guard index.readingCount == readingCount else { throw IsElsewhere() }
      for received in overtaken {
        outcomes[received.name] = try settleOrHold(received, readingCount, &state)
      }
    }
  }

  /// A document that is taken later.
  private func behind(_ received: Received) -> Outcome {
    let known = index[received.name]
    var entry = known
    entry.isBehind = true
    waiting.withLock { waiting in
      waiting.again(received.name)
      waiting.note(received.name)
    }
    return Outcome(received: received, known: known, entry: entry)
  }

  /// Brings what was received and what is here together; where that cannot be done for one document, it holds up no other,
  /// and is tried again later.
  private func settleOrHold(
    _ received: Received, _ readingCount: UInt64, _ state: inout State
  ) throws -> Outcome? {
    do {
      return try settle(received, readingCount, &state)
    } catch  where isOfOneDocument(error) {
      let held = state.held[received.name]
      // If it is many, it is not about one.
      if held == nil, state.held.count >= 16 { throw error }
      let pause = min((held?.pause ?? .seconds(15)) * 2, .seconds(15 * 60))
      state.held[received.name] = Held(error: error, pause: pause, end: .now + pause)
      return behind(received)
    }
  }

  /// Whether an error concerns one document's file, and not what all need.
  private func isOfOneDocument(_ error: any Error) -> Bool {
    guard let error = error as? DocumentError else { return false }
    guard let cause = error.cause as? FileError else {
      return error.cause == nil || error.cause is DecodingError
    }
    let codes: [Errno] = [
      .permissionDenied, .notPermitted, .invalidArgument, .fileNameTooLong, .isDirectory,
      .resourceBusy, .tooManySymbolicLinkLevels,
    ]
    return codes.contains(cause.code) && cause.operation != .lock
      && !cause.path.starts(with: documents.sharingDirectory)
  }

  /// Whether what was received is not later than what is known of the document: another process has taken it, or
  /// something later, or is about to, or the document was removed since.
  ///
  /// - Parameter revision: The engine's revision up to which everything has come.
  private func isOld(_ received: Received, _ known: Entry, _ revision: UInt64) -> Bool {
    if received.revision < known.revision { return true }
    // Only something later is what it is behind.
    if known.isBehind, revision > received.engineRevision { return true }
    if received.revision == known.revision { return !known.isBehind }
    if let coming = known.coming, coming.revision > received.engineRevision { return true }
    // Of what was removed since nothing is known, or that the engine has lost it. A removal may have been noted by a
    // process that was ended before it was made.
    return received.text != nil && revision > received.engineRevision
      && known.base?.revision ?? 0 == 0 && !known.isBehind
  }

  private func outcome(ofOld received: Received, _ known: Entry) -> Outcome? {
    waiting.withLock { $0.again(received.name) }
    if known.removedRevision != received.revision { return nil }
    // The report of a removal ends that older ones are recognized by it.
    var entry = known
    entry.removedRevision = nil
    return Outcome(received: received, known: known, entry: entry)
  }

  /// What is known of a document after the file has what was received.
  private func entry(
    of received: Received, _ known: Entry, keepsBase: Bool = true
  ) throws -> Entry {
    if keepsBase { try keepBase(received.text, as: received.name) }
    guard let text = received.text else { return Entry() }
    let missing = Set(known.missingAssets).union(received.missingAssets)
    return Entry(base: received.base, missingAssets: assets(missing.sorted(), namedIn: text))
  }

  // MARK: Writing

  /// Replaces files, or finds another outcome where that cannot be.
  private func write(
    _ replacements: [Replacement], _ readingCount: UInt64, _ keepsBasesLater: Bool,
    _ outcomes: inout [String: Outcome], _ state: inout State
  ) throws {
    var left = replacements
    while !left.isEmpty {
      var coming = try noteComing(left, readingCount)
      let known = Dictionary(uniqueKeysWithValues: coming.map { ($0.name, $0.known) })
      let stamps: [FileStamp]?
      do {
        let files = coming.map(\.file)
        stamps =
          files.isEmpty
          ? [] : try ifKnown(known, readingCount) { try documents.write(files, if: $0) }
      } catch  where isOfOneDocument(error) {
        // Each is written alone.
        (stamps, coming) = (nil, [])
      }
      if let stamps {
        for (replacement, stamp) in zip(coming, stamps) {
          let (name, known) = (replacement.name, replacement.known)
          let isLater = keepsBasesLater && known.base == nil
          let entry = try entry(of: replacement.received, known, keepsBase: !isLater)
          outcomes[name] = Outcome(
            received: replacement.received, known: known, entry: entry)
          if isLater {
            state.withoutBase.insert(name)
            state.digests[name] = entry.base.map { (stamp, $0.digest) }
          }
        }
      } else {
        // One of them was changed meanwhile, or an asset was removed.
        let count = coming.count
        coming = coming.filter { replacement in
          index[replacement.name] == replacement.known
            && (try? [documents.content(of: replacement.name)]) == [replacement.file.found]
        }
        if coming.count == count { coming = [] }
      }
      let names = Set(coming.map(\.name))
      for other in left where !names.contains(other.name) {
        outcomes[other.name] = try settleOrHold(other.received, readingCount, &state)
      }
      left = stamps == nil ? coming : []
    }
  }

  /// Notes what files are to have next, and flushes that: if this process ends once they have it, or the power goes, that
  /// counts as received, and not as made here.
  ///
  /// - Returns: Those of which nothing else was noted meanwhile, with what is known then.
  private func noteComing(
    _ replacements: [Replacement], _ readingCount: UInt64
  ) throws -> [Replacement] {
    var noted: [Replacement] = []
    let isCurrent = try index.update(readingCount: readingCount) { entries in
      noted = replacements.filter { replacement in
        let known = entries[replacement.name]
        return known == replacement.known
          && !isOld(replacement.received, known, entries.revision)
      }.map { replacement in
        var (replacement, received) = (replacement, replacement.received)
        received.missingAssets += replacement.known.missingAssets
        replacement.known.missingAssets = Set(received.missingAssets).sorted()
        replacement.known.coming = received.base
        replacement.known.merged = replacement.isMerged ? replacement.file.text.digest : nil
        return replacement
      }
      return Dictionary(uniqueKeysWithValues: noted.map { ($0.name, $0.known) })
    }
    guard isCurrent else { throw IsElsewhere() }
    try index.makeDurable()
    return noted
  }

  /// Writes documents on the condition that the index still says of them what was known when that was decided: another
  /// process may have taken this since, and later commits after which the files are the same again.
  func ifKnown<Result>(
    _ known: [String: Entry], _ readingCount: UInt64, _ write: (() -> Bool) throws -> Result
  ) throws -> Result {
    var failure: (any Error)?
    let result = try write {
      do {
        try index.refresh()
      } catch {
        failure = error
        return false
      }
      return index.readingCount == readingCount
        && known.allSatisfy { index[$0.key] == $0.value }
    }
    if let failure { throw failure }
    return result
  }

  /// Notes whether a file has what was to come: the process that has noted that may have ended before, or be about to
  /// write it, which it does not do then.
  func resolveComing(of name: String, _ known: Entry) throws {
    if known.coming == nil { return }
    let isThere = try known.hasCome(documents.content(of: name)?.digest)
    // That process may not have flushed it: after a power cut, what the file had before would be sent as a change.
    if isThere { try documents.makeDurable([name]) }
    var failure: (any Error)?
    try documents.withoutWriters {
      do {
        let digest = try documents.content(of: name)?.digest
        guard known.hasCome(digest) == isThere else { return }
        try index.update(name) { entry in
          if entry != known { return entry }
          var entry = isThere ? entry.found(digest) : entry
          (entry.coming, entry.merged) = (nil, nil)
          return entry
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  // MARK: Bringing together

  /// Brings what was received and what is here together.
  ///
  /// - Returns: What is to be noted; nil if that is nothing.
  private func settle(
    _ received: Received, _ readingCount: UInt64, _ state: inout State
  ) throws -> Outcome? {
    let name = received.name
    for _ in 0..<100 {
      try index.refresh()
      guard index.readingCount == readingCount else { throw IsElsewhere() }
      // Before the file is read: what is done counts only if this is still so then.
      var known = index[name]
      if isOld(received, known, index.log.revision) { return outcome(ofOld: received, known) }
      if ![nil, received.base].contains(known.coming) {
        try resolveComing(of: name, known)
        continue
      }
      let ours = try documents.content(of: name)
      let (mine, theirs) = (ours?.digest, received.text?.digest)
      // What another engine has, or one that was set back, was not made from what is here.
      let base = known.isUnrelated ? nil : known.base?.digest
      /// Notes that the file is to have what was received.
      ///
      /// - Parameter merged: That with what is here; nil if that is replaced.
      func noteComing(merged: [UInt8]? = nil) throws -> Bool {
        guard let text = merged ?? received.text else { return true }
        let file = SharedDocument(name: name, found: ours, text: text)
        let replacement = Replacement(
          received: received, known: known, file: file, isMerged: merged != nil)
        guard let noted = try self.noteComing([replacement], readingCount).first else {
          return false
        }
        known = noted.known
        return true
      }
      func replace() throws -> Bool {
        guard try noteComing() else { return false }
        return try ifKnown([name: known], readingCount) { condition in
          if let text = received.text {
            let file = SharedDocument(name: name, found: ours, text: text)
            return try documents.write([file], if: condition) != nil
          }
          return try ours.map { try documents.remove(name, ifStill: $0, if: condition) } ?? true
        }
      }
      // What is known must not be ahead of the file, which an editor may have written.
      var isKept = ours != nil
      var isMerged = false
      if mine == theirs {
        // There is nothing to do.
      } else if received.mayBeOurs, known.sent.contains(received.text.sentDigest) {
        // It came from here, and what is here now was made from it.
      } else if known.hasCome(mine) {
        // It was merged with what was here by a process that has not noted that.
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
        guard try replace() else { continue }
      } else if let text = received.text, let ours {
        let base = theirs == base ? text : baseText(of: name, base)
        let reconciliation = try documents.reconcile(name, base: base, ours: ours, theirs: text)
        let merged: [UInt8]? = if case .merged(let both) = reconciliation { both } else { nil }
        isMerged = merged != nil
        guard try noteComing(merged: merged),
          let settlement = try ifKnown(
            [name: known], readingCount,
            { try documents.settle(name, ours, theirs: text, reconciliation, if: $0) })
        else { continue }
        isKept = !isMerged
        if let copy = settlement.copy { try index.note(copy: copy, of: name) }
      } else if received.text != nil {
        // It was removed here, and changed there: what somebody made counts.
        guard try replace() else { continue }
      }
      if isKept { state.notDurable.append(name) }
      waiting.withLock { waiting in
        waiting.again(name)
        waiting.note(name)
      }
      var received = received
      if known.base?.revision ?? 0 == 0, received.revision == received.engineRevision, ours != nil,
        let text = received.text
      {
        // Who has sent it may lack assets that are here.
        received.missingAssets += try assets(in: text).filter(documents.hasAsset)
      }
      var entry = try entry(of: received, known)
      // They may be here, or come.
      if !entry.missingAssets.isEmpty { state.withoutAssets.insert(name) }
      // What was sent may be made after this removal.
      if theirs == nil, mine != nil { entry.sent = known.sent }
      return Outcome(received: received, known: known, entry: entry, isMerged: isMerged)
    }
    throw DocumentError(sharedName: name, "cannot be taken, since the file changes all the time")
  }
}
