import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings

/// What a directory's documents and an engine exchange: decides what is to be sent, and takes what comes.
///
/// A document is sent on the condition that the engine's is still the one that it was made from. So who was second
/// receives the other's change first, and merges the two.
///
/// Its calls block their thread while they access the disk.
final class DocumentExchange: Sendable {
  /// A commit, and the documents that it has.
  struct Batch {
    var commit = SyncCommit(conditions: [:], writes: [:])
    fileprivate var documents: [Sending] = []
    var names: [String] { documents.map(\.name) }
    /// The assets that the engine must have before it is performed.
    fileprivate(set) var assets: Set<String> = []
  }

  /// A document of which something is sent.
  fileprivate struct Sending {
    var name: String
    /// What it was when it was read; nil if it was removed.
    var text: [UInt8]?
    /// The engine's revision of what it was made from; zero if the engine has none.
    var base: UInt64
    /// The assets that it names, and what it was made from does not.
    var assets: Set<String> = []
  }

  /// A document can be read again of which a change was not taken while it could not.
  struct IsBehind: Error {}

  private struct State {
    /// Documents of which the engine has something that is not a document: nothing is sent in its place.
    var unreadable: Set<String> = []
    /// Those that the engine does not take.
    var tooLarge: Set<String> = []
    /// The files when they were last examined.
    var stamps: [String: FileStamp]?
    /// The revision of the origin's record, as far as is known.
    var record: UInt64 = 0
    /// The revision of the record of who collects assets, as far as is known.
    var collection: UInt64 = 0
  }

  let documents: any SharedDocuments
  let index: DocumentIndex
  private let bases: DocumentBases
  /// Each commit writes its record, on the condition that none has since the last answer: so one that was given up, and
  /// is late, is not made after others, when a document that it creates was removed again.
  private let origin: SyncKey
  let limits: SyncLimits
  private let chunkLength: Int
  private let waiting = Mutex(WaitingDocuments())
  private let state = Mutex(State())

  /// - Parameters:
  ///   - chunkLength: How many bytes of an asset are sent at once, at most.
  ///   - isAutomatic: Whether what is noted is flushed now and then, by a thread of its own.
  init(
    _ documents: any SharedDocuments, limits: SyncLimits, chunkLength: Int = 256 << 10,
    isAutomatic: Bool = true
  ) throws {
    self.documents = documents
    self.limits = limits
    // Beside a chunk, a commit has a manifest.
    self.chunkLength = min(chunkLength, limits.length / 2)
    index = try DocumentIndex(of: documents, isAutomatic: isAutomatic)
    bases = try DocumentBases(of: documents)
    origin = .origin(try index.origin)
  }

  // MARK: What is changed here

  /// Notes that files may be changed.
  func note(_ names: [String]) {
    waiting.withLock { waiting in for name in names { waiting.tell(name) } }
  }

  /// Notes all files that were changed since this last looked, by any process.
  ///
  /// - Returns: The moment, for ``isSent(through:)``.
  /// - Complexity: O(*n*) in the number of documents, whose files are examined but not read.
  @discardableResult
  func look() throws -> UInt64 {
    try state.withLock { state in
      let found = try documents.stamps()
      let known = state.stamps ?? [:]
      let missing = Set(known.keys).union(index.names).filter {
        found[$0] == nil && documents.isName($0)
      }
      let changed = found.filter { known[$0.key] != $0.value }.keys
      state.stamps = found
      note(Array(changed))
      note(Array(missing))
      return waiting.withLock { $0.now }
    }
  }

  /// Notes all files that were changed since they were last shared, if this never looked.
  func lookFirst() throws {
    if state.withLock({ $0.stamps == nil }) { try look() }
  }

  /// Whether everything was sent that was changed up to a moment.
  func isSent(through moment: UInt64) -> Bool { waiting.withLock { $0.isNone(through: moment) } }

  /// How many documents may have changes that the engine does not have.
  var waitingCount: Int { waiting.withLock { $0.count } }

  /// How many documents were compared so far.
  var comparedCount: UInt64 { waiting.withLock { $0.comparedCount } }

  /// The documents that the engine does not take.
  var tooLarge: [String] { state.withLock { $0.tooLarge.sorted() } }

  /// The changed documents in whose place the engine has something that is not a document.
  func blockedDocuments() throws -> [String] {
    try state.withLock { $0.unreadable.sorted() }.filter { name in
      try documents.content(of: name)?.digest != index[name].base?.digest
    }
  }

  /// Compares what may be changed with what is known to be sent, by any process.
  ///
  /// - Complexity: O(*n*) in the bytes of the documents that may be changed.
  func compare() throws {
    try state.withLock { state in
      var failure: (any Error)?
      for told in waiting.withLock({ $0.all }) {
        do {
          guard try change(of: told.name, &state) == nil else { continue }
          waiting.withLock { $0.compared(told, isSending: false) }
        } catch is IsBehind {
          // It waits until everything is read again.
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  // MARK: Sending

  /// The next changes that the engine is to make; nil if there are none.
  ///
  /// - Parameters:
  ///   - count: How many documents it has at most.
  ///   - except: The names of documents that are left out.
  /// - Throws: ``IsBehind`` if everything is to be read again first; errors of the disk.
  /// - Complexity: O(*n*) in the bytes of the documents that may be changed.
  func nextBatch(of count: Int = .max, except: Set<String> = []) throws -> Batch? {
    try state.withLock { state in
      var batch = Batch()
      var length = 0
      var changes: [String: (DocumentIndex.Entry) -> DocumentIndex.Entry] = [:]
      var (sent, failure): ([WaitingDocuments.Told], (any Error)?) = ([], nil)
      try index.refresh()
      for told in waiting.withLock({ $0.all }) where !except.contains(told.name) {
        let name = told.name
        let room = limits.writes - (batch.assets.isEmpty ? 0 : 1)
        if batch.documents.count >= max(1, min(count, room)) { break }
        let change: Sending?
        do {
          change = try self.change(of: name, &state)
        } catch let error as IsBehind {
          throw error
        } catch {
          // One that cannot be read holds up no other.
          failure = error
          continue
        }
        guard let sending = change else {
          waiting.withLock { $0.compared(told, isSending: false) }
          continue
        }
        let size = name.utf8.count + (sending.text?.count ?? 0)
        if size > limits.length || name.utf8.count > limits.keyLength {
          state.tooLarge.insert(name)
          waiting.withLock { $0.compared(told, isSending: false) }
          continue
        }
        length += size
        if length > limits.length { break }
        // What has assets waits for them, and nothing else does.
        let isFull = batch.assets.isEmpty != sending.assets.isEmpty || batch.assets.count >= 16
        if isFull, !batch.documents.isEmpty { break }
        batch.assets.formUnion(sending.assets)
        let key = SyncKey(document: name)
        batch.commit.conditions[key] = sending.base
        batch.commit.writes.updateValue(sending.text, forKey: key)
        let digest = sending.text.sentDigest
        changes[name] = { entry in
          var entry = entry
          if !entry.sent.contains(digest) { entry.sent.append(digest) }
          return entry
        }
        batch.documents.append(sending)
        sent.append(told)
      }
      if batch.documents.isEmpty {
        if let failure { throw failure }
        return nil
      }
      batch.commit.conditions[origin] = state.record
      batch.commit.writes[origin] = []
      if !batch.assets.isEmpty { batch.commit.conditions[AssetCollection.key] = state.collection }
      try index.update(changes)
      waiting.withLock { [sent] waiting in
        for told in sent { waiting.compared(told, isSending: true) }
      }
      return batch
    }
  }

  /// What is to be sent of a document, if anything.
  private func change(of name: String, _ state: inout State) throws -> Sending? {
    guard documents.isName(name), !state.unreadable.contains(name) else { return nil }
    let entry = index[name]
    let base = entry.base
    let text = try documents.content(of: name)
    if entry.isBehind { throw IsBehind() }
    if text == nil { try index.note(copy: name, of: nil) }
    state.tooLarge.remove(name)
    let isLostThere = base?.revision == 0
    if text?.digest == base?.digest, !isLostThere {
      if let text { bases.restore(text, as: name) }
      return nil
    }
    if text == nil, isLostThere { return nil }
    if let text {
      // An editor may be writing it; and what is not a document here is not one elsewhere.
      guard text.parseError == nil else { return nil }
    } else if try documents.isLost(name) {
      try restore(name, base)
      return nil
    }
    if waiting.withLock({ $0.isRefused(name) }) { return nil }
    var assets = text.map { documents.assets(in: $0, ofAnyType: true) } ?? []
    if !assets.isEmpty, !isLostThere, let text = bases.base(of: name, base?.digest) {
      assets.subtract(documents.assets(in: text, ofAnyType: true))
    }
    return Sending(name: name, text: text, base: base?.revision ?? 0, assets: assets)
  }

  /// Gives back a document that was damaged here.
  private func restore(_ name: String, _ base: DocumentIndex.Base?) throws {
    guard let text = bases.base(of: name, base?.digest), text.parseError == nil else { return }
    _ = try documents.write([SharedDocument(name: name, found: nil, text: text)])
  }

  /// Notes that it is not known whether a commit was made.
  func sendAgain(_ batch: Batch) {
    waiting.withLock { waiting in for sending in batch.documents { waiting.again(sending.name) } }
  }

  /// Has what was refused be compared, and sent, again.
  func sendRefusedAgain() { waiting.withLock { $0.refusedAgain() } }

  /// Takes the answer to a commit.
  ///
  /// - Returns: Whether the engine has had other changes, which must come first.
  /// - Throws: Errors of the disk.
  func take(_ result: SyncCommit.Result, for batch: Batch) throws -> Bool {
    try state.withLock { state in
      switch result {
      case .committed(let revision):
        state.record = max(state.record, revision)
        // The index must not be ahead of the files: what a power cut took back would be sent as a change.
        try documents.makeDurable(batch.names)
        try note(batch.documents, at: revision)
        waiting.withLock { waiting in for sending in batch.documents { waiting.sent(sending.name) }
        }
        return false
      case .refused(let current):
        state.record = current[origin]?.revision ?? 0
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

  private func note(_ sent: [Sending], at revision: UInt64) throws {
    try index.refresh()
    let through = index.log.revision
    var changes: [String: (DocumentIndex.Entry) -> DocumentIndex.Entry] = [:]
    for sending in sent {
      // Its own report may have come first.
      if index[sending.name].revision >= revision { continue }
      bases.keep(sending.text, as: sending.name)
      let base = sending.text.map { DocumentIndex.Base(revision: revision, digest: $0.digest) }
      changes[sending.name] = { entry in
        if entry.revision >= revision { return entry }
        // Reports of what was there before it was removed may still come.
        let removed = base == nil && through < revision ? revision : nil
        return DocumentIndex.Entry(base: base, removedRevision: removed)
      }
    }
    try index.update(changes)
  }

  // MARK: Assets

  /// What sends an asset.
  ///
  /// - Complexity: O(*n*) in its bytes.
  func sending(of asset: String) throws -> AssetSending {
    // What has another type may be a document of another kind.
    let isAsset = documents.assets(in: Array(asset.utf8), ofAnyType: false).contains(asset)
    return AssetSending(
      asset, content: isAsset ? try documents.asset(asset) : nil, limits: limits,
      chunkLength: chunkLength)
  }

  /// What fetches an asset.
  func fetching(of asset: String) -> AssetFetching {
    AssetFetching(asset, for: documents, bases.partial(of: asset))
  }

  /// Removes what has come of assets that did not come as a whole since a time, in nanoseconds since 1970.
  func removePartialAssets(unchangedSince time: Int64) throws {
    try bases.removePartials(unchangedSince: time, isDocument: documents.isName)
  }

  /// The assets that are not here and that documents may name which an engine has.
  ///
  /// - Complexity: O(*n*) in the bytes of all documents.
  func missingAssets(in snapshot: SyncSnapshot) throws -> [String] {
    try missingAssets(in: snapshot.items.values.map(\.value)).filter {
      snapshot.items[AssetManifest.key(of: $0)] != nil
    }
  }

  /// The assets that are not here and that the documents of a commit may name.
  func missingAssets(in change: SyncChange) throws -> [String] {
    try missingAssets(in: change.writes.values.compactMap(\.self))
  }

  private func missingAssets(in texts: [[UInt8]]) throws -> [String] {
    var missing: Set<String> = []
    for text in texts {
      for asset in documents.assets(in: text, ofAnyType: true)
      where try !missing.contains(asset) && !documents.hasAsset(asset) {
        missing.insert(asset)
      }
    }
    return missing.sorted()
  }

  // MARK: Receiving

  /// Takes everything that the engine has.
  ///
  /// - Parameter before: The index's log when that was asked for.
  /// - Complexity: O(*n*) in the bytes of all documents.
  func take(_ snapshot: SyncSnapshot, askedFor before: SyncLog) throws {
    try state.withLock { state in
      try index.refresh()
      let log = index.log
      if snapshot.isOvertaken(by: log, askedFor: (before.cluster, before.revision)) { return }
      // What was acknowledged there may not be here.
      let isNew = log.cluster != snapshot.cluster || log.revision > snapshot.revision
      state.collection = snapshot.items[AssetCollection.key]?.revision ?? 0
      var received: [Received] = []
      for (key, item) in snapshot.items {
        if let name = name(of: key) {
          received.append(Received(name: name, text: item.value, revision: item.revision))
        }
      }
      let names = Set(received.map(\.name))
      var forgotten: [String: (DocumentIndex.Entry) -> DocumentIndex.Entry] = [:]
      for name in index.names where !names.contains(name) {
        let known = index[name]
        // The engine never had it, or has lost it, also if that was found before.
        if isNew || known.base?.revision == 0 || known.base == nil && known.isBehind {
          forgotten[name] = { entry in
            var entry = entry
            entry.base?.revision = 0
            entry.removedRevision = nil
            entry.isBehind = false
            return entry
          }
        } else {
          received.append(Received(name: name, text: nil, revision: snapshot.revision))
        }
      }
      if !forgotten.isEmpty { try index.update(forgotten) }
      try take(received.sorted { $0.name < $1.name }, isNew: isNew, &state)
      try index.update([:], cluster: snapshot.cluster, revision: snapshot.revision)
      // Whatever the others do not have is sent.
      state.stamps = nil
      sendRefusedAgain()
    }
  }

  /// Takes a commit.
  func take(_ change: SyncChange) throws {
    try state.withLock { state in
      try index.refresh()
      if change.writes[AssetCollection.key] != nil { state.collection = change.revision }
      var received: [Received] = []
      for (key, value) in change.writes {
        if let name = name(of: key) {
          received.append(Received(name: name, text: value, revision: change.revision))
        }
      }
      try take(received, isNew: false, &state)
      try index.update([:], revision: change.revision)
    }
  }

  /// Whether changes were refused for others that should have come by now.
  func lacksRefused(through revision: UInt64) -> Bool {
    waiting.withLock { $0.hasRefused } && index.log.revision >= revision
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
  }

  private func take(_ received: [Received], isNew: Bool, _ state: inout State) throws {
    var entries: [String: DocumentIndex.Entry] = [:]
    var behind: Set<String> = []
    var (files, plain): ([SharedDocument], [Received]) = ([], [])
    var length = 0
    func writeAll(_ state: inout State) throws {
      if try files.isEmpty || documents.write(files) {
        for received in plain { entries[received.name] = entry(of: received) }
      } else {
        // One of them was changed meanwhile.
        for received in plain {
          entries[received.name] = try settle(received, isNew: isNew, &state)
        }
      }
      (files, plain, length) = ([], [], 0)
      let revisions = Dictionary(
        received.map { ($0.name, $0.revision) }, uniquingKeysWith: { $1 })
      var changes: [String: (DocumentIndex.Entry) -> DocumentIndex.Entry] = [:]
      for (name, entry) in entries {
        let revision = revisions[name] ?? 0
        changes[name] = { before in
          var before = before
          if isNew || before.revision < revision { return entry }
          if before.removedRevision == revision { before.removedRevision = nil }
          return before
        }
      }
      for name in behind {
        let revision = revisions[name] ?? 0
        changes[name] = { before in
          if !isNew, before.revision >= revision { return before }
          // What is known of another engine says nothing about this one.
          var entry = isNew ? DocumentIndex.Entry(sent: before.sent) : before
          entry.isBehind = true
          return entry
        }
      }
      try index.update(changes)
      (entries, behind) = ([:], [])
    }
    for received in received {
      let known = index[received.name]
      if !isNew, received.revision <= known.revision {
        // Another process has taken it, or it is from before a removal, whose own report ends that.
        if known.removedRevision == received.revision {
          entries[received.name] = DocumentIndex.Entry()
        }
        waiting.withLock { $0.again(received.name) }
        continue
      }
      state.unreadable.remove(received.name)
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
      if let text = received.text, ours == nil || !isNew, ours != text,
        ours.map({ $0.digest }) == known.base?.digest, !known.sent.contains(text.digest),
        text.parseError == nil
      {
        files.append(SharedDocument(name: received.name, found: ours, text: text))
        plain.append(received)
        length += text.count
      } else {
        entries[received.name] = try settle(received, isNew: isNew, &state)
      }
      if files.count >= 512 || length > 16 << 20 || entries.count >= 512 { try writeAll(&state) }
    }
    try writeAll(&state)
  }

  /// What is known of a document after the file has what was received.
  private func entry(of received: Received) -> DocumentIndex.Entry {
    bases.keep(received.text, as: received.name)
    guard let text = received.text else { return DocumentIndex.Entry() }
    return DocumentIndex.Entry(
      base: DocumentIndex.Base(
        revision: received.revision, digest: text.digest))
  }

  /// Brings what was received and what is here together.
  ///
  /// - Returns: What is known then; nil if nothing else is.
  private func settle(
    _ received: Received, isNew: Bool, _ state: inout State
  ) throws -> DocumentIndex.Entry? {
    let name = received.name
    for _ in 0..<100 {
      let known = index[name]
      let ours = try documents.content(of: name)
      let (mine, theirs) = (ours?.digest, received.text?.digest)
      // What another engine has, or one that was set back, was not made from what is here.
      let base = isNew ? nil : known.base?.digest
      if mine == theirs {
        if ours != nil { try documents.makeDurable([name]) }
      } else if known.sent.contains(received.text.sentDigest) {
        // It came from here, and what is here now was made from it.
      } else if let text = received.text, let error = text.parseError {
        // It is not known what would be lost in its place.
        state.unreadable.insert(name)
        documents.report(
          DocumentError(sharedName: name, "is not a document on other machines: \(error)"))
        // What is known of another engine says nothing about this one.
        return isNew ? DocumentIndex.Entry(sent: known.sent) : nil
      } else if isNew || known.base == nil && known.isBehind, ours != nil,
        let text = received.text, documents.isPastVersion(text, of: name)
      {
        // The engine was set back to what this was made from.
      } else if mine == base {
        guard try replace(name, ours, by: received.text) else { continue }
      } else if let text = received.text, let ours {
        let base = bases.base(of: name, base)
        guard let settlement = try documents.settle(name, base: base, ours: ours, theirs: text)
        else { continue }
        if let copy = settlement.copy { try index.note(copy: copy, of: name) }
      } else if let text = received.text {
        // It was removed here, and changed there: what somebody made counts.
        guard try replace(name, nil, by: text) else { continue }
      }
      waiting.withLock { waiting in
        waiting.again(name)
        waiting.tell(name)
      }
      var entry = entry(of: received)
      // What was sent may be made after this removal.
      if theirs == nil, mine != nil { entry.sent = known.sent }
      return entry
    }
    throw DocumentError(sharedName: name, "cannot be taken, since the file changes all the time")
  }

  private func replace(_ name: String, _ ours: [UInt8]?, by text: [UInt8]?) throws -> Bool {
    if let text {
      return try documents.write([SharedDocument(name: name, found: ours, text: text)])
    }
    guard let ours else { return true }
    return try documents.remove(name, ifStill: ours)
  }
}

extension [UInt8] {
  /// Why it is not a document; nil if it is one.
  fileprivate var parseError: JSON.ParseError? {
    do throws(JSON.ParseError) {
      _ = try JSON.Value(parsing: self)
      return nil
    } catch {
      return error
    }
  }

  fileprivate var digest: String { ContentDigest(of: self).text }
}

extension [UInt8]? {
  /// What says in the index that this was sent.
  fileprivate var sentDigest: String { self?.digest ?? "removed" }
}

extension SyncKey {
  fileprivate init(document name: String) { self = .value(Array(name.utf8)) }
}
