import Dispatch
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
/// Its calls block their thread while they access the disk: what is asynchronous makes them ``onDisk(_:)``.
///
/// - `DocumentExchange+Sending.swift` has what is sent, and takes the answers.
/// - `DocumentExchange+Receiving.swift` takes what the engine has, and `DocumentExchange+Writing.swift` brings it together
///   with what is here.
/// - `Assets/DocumentExchange+Assets.swift` has which assets are sent and fetched.
final class DocumentExchange: Sendable {
  /// A document can be read again of which a change was not taken while it could not.
  struct IsBehind: Error {}

  /// The index is about another engine than a connection was opened to, or about an earlier revision, or is damaged:
  /// another process has joined another engine, or other files are in its place.
  struct IsElsewhere: Error {}

  /// A revision of an engine.
  struct Moment {
    var revision: UInt64 = 0
    /// How often everything had been read then: that may have been of another engine since.
    var readingCount: UInt64 = 0
  }

  /// A document that cannot be taken for now.
  struct Held {
    var error: any Error
    /// How long it was not tried again.
    var pause: Duration
    var end: ContinuousClock.Instant
  }

  struct State {
    /// Those that cannot be taken for now, as where their files are locked.
    var held: [String: Held] = [:]
    /// Documents of which the engine has something that is not a document: nothing is sent in its place.
    var unreadable: Set<String> = []
    /// The files when they were last examined.
    var stamps: [String: FileStamp]?
    /// How often everything of the engine had been read then.
    var readingCount: UInt64 = 0
    /// The digests of files that have their bases' text, so that what has not changed since is not read again.
    var digests: [String: (stamp: FileStamp, text: String)] = [:]
    /// The documents whose bases are not kept yet: a machine that joins has more to do first.
    var withoutBase: Set<String> = []
    /// Those that were sent without some of their assets, as far as is known.
    var withoutAssets: Set<String> = []
    /// The documents that have what was received, and may not be durable.
    var notDurable: [String] = []
    /// The revision of the origin's record, as the last answer to a commit had it.
    var record: UInt64 = 0
    /// The revision that an answer has shown of a commit that was not answered: what that has created, and others have
    /// removed since, must come first, or it would be created again.
    var shown = Moment()
    /// The revision of the engine's last commit when the connection began: what an engine has lost may have been
    /// created by another machine until then, and removed.
    var opened = Moment()
    /// The revision of the record of who collects assets, as far as is known.
    var collection: UInt64 = 0
  }

  let documents: any SharedDocuments
  let index: DocumentIndex
  let bases: DocumentBases
  let limits: SyncLimits
  let chunkLength: Int
  let waiting = Mutex(WaitingDocuments())
  /// Held while the disk is accessed, also for long.
  let state = Mutex(State())
  /// Whether the origin's record may have a later revision than the last answer had. What shows it, as after a lost
  /// answer, does not say that it is as durable as what is answered: another answer does.
  let isUnanswered = Atomic(false)
  private let disk = DispatchQueue(label: "keepsake.documents.sharing")

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
    _ = try origin
  }

  /// Each commit writes its record, on the condition that none has since the last answer: so one that was given up, and
  /// is late, is not made after others, when a document that it creates was removed again.
  var origin: SyncKey { get throws { .origin(try index.origin) } }

  /// Runs what waits for the disk on a thread that nothing else waits for.
  func onDisk<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      disk.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  // MARK: What is changed here

  /// Notes that files may be changed.
  func note(_ names: [String]) {
    waiting.withLock { waiting in for name in names { waiting.note(name) } }
  }

  /// Notes all files that were changed since the last scan, by any process.
  ///
  /// - Returns: The moment, for ``isSent(through:)``.
  /// - Complexity: O(*n*) in the number of documents, whose files are examined but not read.
  @discardableResult
  func scan() throws -> UInt64 {
    try state.withLock { state in
      // What the engine does not have is sent, also if another process has found that.
      let readingCount = index.readingCount
      let found = try documents.stamps()
      let known = state.readingCount == readingCount ? state.stamps ?? [:] : [:]
      let missing = Set(known.keys).union(index.names).filter {
        found[$0] == nil && documents.isName($0)
      }
      let changed = found.filter { known[$0.key] != $0.value }.keys
      (state.stamps, state.readingCount) = (found, readingCount)
      state.withoutAssets = index.documentsWithoutAssets
      state.held = state.held.filter { index[$0.key].isBehind }
      note(Array(changed))
      note(Array(missing))
      return waiting.withLock { $0.now }
    }
  }

  /// Tries soon what cannot be taken for now, since somebody asks for it; not more often than everything can be read for it.
  func tryHeldAgain() {
    state.withLock { state in
      for (name, held) in state.held where held.end - held.pause + .seconds(5) <= .now {
        state.held[name] = Held(error: held.error, pause: .seconds(15), end: .now)
      }
    }
  }

  /// Notes all files that were changed since they were last shared, if there was no scan since everything was read.
  func scanFirst() throws {
    let count = index.readingCount
    if state.withLock({ $0.stamps == nil || $0.readingCount != count }) { try scan() }
  }

  /// Whether everything was sent, and answered, that was changed up to a moment.
  func isSent(through moment: UInt64) -> Bool {
    waiting.withLock { $0.isNone(through: moment) } && !isUnanswered.load(ordering: .acquiring)
  }

  /// How many documents may have changes that the engine does not have.
  var waitingCount: Int { waiting.withLock { $0.count } }

  /// How many documents were compared so far.
  var comparedCount: UInt64 { waiting.withLock { $0.comparedCount } }

  /// The documents that the engine does not take.
  var tooLarge: [String] { waiting.withLock { $0.tooLarge.sorted() } }

  /// The changed documents in whose place the engine has something that is not a document.
  func blockedDocuments() throws -> [String] {
    try state.withLock { $0.unreadable.sorted() }.filter { name in
      let base = index[name].base
      let content = try documents.content(of: name)
      return base?.revision == 0 ? content != nil : content?.digest != base?.digest
    }
  }

  /// Compares what may be changed with what is known to be sent, by any process.
  ///
  /// - Complexity: O(*n*) in the bytes of the documents that may be changed.
  func compare() throws {
    try state.withLock { state in
      var failure: (any Error)?
      for slot in waiting.withLock({ $0.slots() }) {
        guard let entry = waiting.withLock({ $0.entry(at: slot) }) else { continue }
        do {
          guard try change(of: entry.name, &state) == nil else { continue }
          waiting.withLock { $0.compared(entry, isSending: false) }
        } catch is IsBehind {
          // It waits until everything is read again.
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  // MARK: Bases

  /// Keeps some of the bases that are not kept yet.
  ///
  /// - Returns: Whether more are left.
  func keepSomeBases() -> Bool {
    state.withLock { state in
      for _ in 0..<64 {
        guard let name = state.withoutBase.popFirst(), let digest = index[name].base?.digest else {
          continue
        }
        let text = try? documents.content(of: name)
        let isUnchanged = text.map { $0.digest == digest } ?? false
        // The copy of one that was quarantined would say that it was whole since.
        let past = text == nil ? nil : documents.pastVersion(of: name, digest: digest)
        let base = isUnchanged ? text : past
        let isKept = base.map { bases.keep($0, as: name) } ?? false
        if !isUnchanged || !isKept || state.digests[name]?.stamp.isSettled != true {
          state.digests[name] = nil
        }
        if !isUnchanged { waiting.withLock { $0.note(name) } }
      }
      return !state.withoutBase.isEmpty
    }
  }

  /// Keeps the base of a document, and writes the document back if it was quarantined.
  func keepBase(_ text: [UInt8]?, as name: String) throws {
    let (known, time) = (index[name], try bases.time(of: name))
    func lostText() throws -> [UInt8]? {
      guard let text, try documents.stamp(of: name) == nil, text.parseError == nil,
        try documents.isLost(name, wholeAt: time)
      else { return nil }
      return text
    }
    var lost = try lostText()
    if lost == nil {
      bases.keep(text, as: name)
      // The copy would say that one was whole since which was quarantined meanwhile.
      lost = try lostText()
    }
    if let lost { try writeBack(lost, as: name, known) }
  }

  /// Writes a document back that was quarantined, unless something else is known of it by now.
  ///
  /// - Returns: Whether it was written.
  @discardableResult
  func writeBack(_ text: [UInt8], as name: String, _ known: DocumentIndex.Entry) throws -> Bool {
    let document = SharedDocument(name: name, found: nil, text: text)
    let isWritten = try ifKnown([name: known], index.readingCount) {
      try documents.write([document], if: $0) != nil
    }
    // The copy says that it was whole since: if it is removed after that, the quarantine is not why it is missing.
    if isWritten { bases.keep(text, as: name) }
    return isWritten
  }

  /// The base of a document with a digest, if it is there.
  func baseText(of name: String, _ digest: String?) -> [UInt8]? {
    bases.base(of: name, digest) ?? digest.flatMap { documents.pastVersion(of: name, digest: $0) }
  }
}

extension [UInt8] {
  /// Why it is not a document; nil if it is one.
  var parseError: JSON.ParseError? {
    do throws(JSON.ParseError) {
      _ = try JSON.Value(parsing: self)
      return nil
    } catch {
      return error
    }
  }

  var digest: String { ContentDigest(of: self).text }
}

extension [UInt8]? {
  /// What says in the index that this was sent.
  var sentDigest: String { self?.digest ?? "removed" }
}

extension SyncKey {
  init(document name: String) { self = .value(Array(name.utf8)) }
}
