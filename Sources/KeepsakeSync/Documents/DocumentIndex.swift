import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// What is known of each document of a directory on other machines, and up to which of their revisions.
///
/// It is a settings file, `Sharing/<extension>.plist`, whose log has the revision: so all processes that have the
/// documents open know the same, and what is known of a document and the revision change in one step.
final class DocumentIndex: Sendable {
  /// What is known of a document.
  struct Entry: Hashable {
    /// What it was when it was last the same here and there; nil if it never was, or there is none there.
    var base: Base?
    /// What a process is about to write into its file, as it is there: once it has that, this is the base.
    var coming: Base?
    /// The digest of what it writes where that is merged with a change that was made here: a file that has it is made
    /// from what was to come, and is not merged again.
    var merged: String?
    /// The digests of what was sent since then, of which it is not known whether it arrived; `removed` for a removal.
    var sent: [String] = []
    /// The engine's revision that removed it, if not everything has come up to there.
    var removedRevision: UInt64?
    /// Whether a later change of it was not taken, since the file could not be read.
    var isBehind = false
    /// The assets that it names, and that neither the engine had nor this machine when it was sent.
    var missingAssets: [String] = []

    /// Whether the engine never had what the file was made from, as far as is known, or has lost it.
    var isUnrelated: Bool { base?.revision == 0 || base == nil && isBehind }

    /// The engine's revision of it, as far as is known.
    var revision: UInt64 { base?.revision ?? removedRevision ?? 0 }

    /// The last one that any process has received.
    var lastRevision: UInt64 { max(revision, coming?.revision ?? 0) }

    /// Whether a file with a digest has what was to come, or was merged with it.
    func hasCome(_ digest: String?) -> Bool {
      guard let coming, let digest else { return false }
      return digest == coming.digest || digest == merged
    }

    /// What is known of a file with a digest: a process may have ended after it has written what was to come.
    func found(_ digest: String?) -> Entry {
      guard let coming, hasCome(digest) else { return self }
      return Entry(base: coming, isBehind: isBehind, missingAssets: missingAssets)
    }

    /// What is known of it for an engine that never had it, or has lost it.
    func forgotten() -> Entry {
      var entry = self
      entry.base?.revision = 0
      entry.coming?.revision = 0
      entry.removedRevision = nil
      entry.isBehind = false
      return entry
    }
  }

  /// A content that it had here and there.
  struct Base: Hashable {
    /// The engine's revision of it; zero if it is not the engine's that had it.
    var revision: UInt64
    /// Its digest.
    var digest: String
  }

  private let settings: SettingsStore
  private let fileSystem: any FileSystem
  private let directory: FilePath
  /// The directory that the index was read from.
  private let identity: Mutex<FileInformation.Identity?>

  /// - Parameter isAutomatic: Whether it is flushed now and then, by a thread of its own.
  init(of documents: any SharedDocuments, isAutomatic: Bool = true) throws {
    (fileSystem, directory) = (documents.fileSystem, documents.sharingDirectory)
    try fileSystem.createDirectories(directory)
    identity = Mutex(try fileSystem.information(at: directory)?.identity)
    settings = try SettingsStore(
      file: directory.appending("\(documents.pathExtension).plist"), fileSystem: fileSystem,
      isAutomatic: isAutomatic, isDerived: true,
      onProblem: { [weak documents] problem in
        documents?.report(DocumentError(sharing: problem))
      })
    try settings.shareValues()
  }

  /// The engine's revision that is known, and whether all of it must be read again.
  var log: SyncLog { settings.syncLog ?? SyncLog(origin: "") }

  /// Which engine it is, and the latest of its revisions that is known, of a commit that was made from here, too; nil
  /// before everything of one was read.
  ///
  /// - Complexity: O(*n*) in the number of documents.
  var position: SyncPosition? {
    guard var position = log.position else { return nil }
    position.revision = names.reduce(position.revision) { max($0, self[$1].lastRevision) }
    return position
  }

  /// A name for this directory and its copies, which is kept.
  var origin: String {
    get throws {
      let name = SettingsName(Self.origin)
      if case .string(let origin)? = settings.sharedValue(name) { return origin }
      try receive { values in
        if values[name] != nil { return nil }
        var received = SettingsStore.ReceivedValues()
        received.values.updateValue(.string(SyncLog.newOrigin()), forKey: name)
        return received
      }
      guard case .string(let origin)? = settings.sharedValue(name) else {
        throw DocumentError(sharedName: Self.origin, "is no text")
      }
      return origin
    }
  }

  /// How often everything of an engine was read, by any process: what is known of documents may be another since,
  /// although their files are the same.
  var readingCount: UInt64 { Self.readingCount(settings.sharedValue(SettingsName(Self.readings))) }

  private static func readingCount(_ value: PropertyList.Value?) -> UInt64 {
    if case .string(let text)? = value { UInt64(text) ?? 0 } else { 0 }
  }

  /// No document has these names, since they have no extension.
  private static let (origin, readings) = ("origin", "readings")

  /// The lock of the process that talks to the engine.
  func sharingLock() -> SharingLock? { settings.sharingLock() }

  /// An element soon after each change, by any process.
  var changes: ChangeSequence<AnyChangeCursor> { settings.anyChanges }

  subscript(name: String) -> Entry { Entry(settings.sharedValue(SettingsName(name))) }

  /// The names of the documents of which something is known.
  ///
  /// - Complexity: O(*n*).
  var names: Set<String> { Self.names(in: settings.sharedValues) }

  private static func names(in values: SettingsStore.SharedValues) -> Set<String> {
    Set(
      values.names.map(\.string).filter { name in
        name != origin && name != readings && !name.contains("/")
      })
  }

  /// The documents that were sent without some of their assets.
  ///
  /// - Complexity: O(*n*) in the number of documents.
  var documentsWithoutAssets: Set<String> {
    let values = settings.sharedValues
    return Set(
      values.names.filter { name in
        guard case .string(let text)? = values[name] else { return false }
        return text.contains(Entry.missing) && !Entry(text: text).missingAssets.isEmpty
      }.map(\.string))
  }

  // MARK: Copies

  /// No document has such a name.
  private static let copies = "copies/"

  /// The copies that were made because a document was changed here and elsewhere, with that document's name.
  ///
  /// - Complexity: O(*n*) in the number of documents.
  var copies: [String: String] {
    let values = settings.sharedValues
    var copies: [String: String] = [:]
    for name in values.names where name.string.hasPrefix(Self.copies) {
      guard case .string(let original)? = values[name] else { continue }
      copies[String(name.string.dropFirst(Self.copies.count))] = original
    }
    return copies
  }

  /// Notes that a copy of a document was made; or, of nil, that it is gone.
  func note(copy: String, of original: String?) throws {
    let name = SettingsName(Self.copies + copy)
    if original == nil, settings.sharedValue(name) == nil { return }
    try receive { _ in
      var received = SettingsStore.ReceivedValues()
      received.values.updateValue(original.map { .string($0) }, forKey: name)
      return received
    }
  }

  /// Reads what other processes have noted; otherwise it is read soon.
  ///
  /// - Throws: As ``checkDirectory()``.
  func refresh() throws { try receive { _ in nil } }

  /// Flushes what was noted so far.
  func makeDurable() throws { try settings.synchronizeAndWait() }

  /// Reads the index again if another directory was put in the place of the one that it was read from. Its documents
  /// say nothing about what was changed since what is known here.
  ///
  /// - Throws: ``DocumentExchange/IsElsewhere`` after it was read again; errors of the disk, as where there is none.
  func checkDirectory() throws {
    try identity.withLock { identity in
      guard let found = try fileSystem.information(at: directory)?.identity else {
        throw DocumentError(sharing: FileError(.open, directory, .noSuchFileOrDirectory))
      }
      if found == identity { return }
      try settings.reopenIfReplaced()
      try settings.shareValues()
      identity = found
      throw DocumentExchange.IsElsewhere()
    }
  }

  /// Notes what is returned for what other processes have noted, unless another directory was put in the place of the
  /// one that it is about: also just before this, when the settings have found it themselves.
  ///
  /// - Throws: As ``checkDirectory()``.
  private func receive(
    _ decide: (SettingsStore.SharedValues) -> SettingsStore.ReceivedValues?
  ) throws {
    try checkDirectory()
    let known = identity.withLock { $0 }
    var isSame = true
    try settings.receive { values in
      isSame = (try? fileSystem.information(at: directory)?.identity == known) == true
      return isSame ? decide(values) : nil
    }
    if isSame { return }
    try checkDirectory()
    throw DocumentExchange.IsElsewhere()
  }

  /// What is known of all documents at one moment.
  struct Entries {
    fileprivate let values: SettingsStore.SharedValues

    subscript(name: String) -> Entry { Entry(values[SettingsName(name)]) }

    /// The names of the documents of which something is known.
    ///
    /// - Complexity: O(*n*).
    var names: Set<String> { DocumentIndex.names(in: values) }

    /// The engine's revision up to which everything has come.
    var revision: UInt64 { values.log?.revision ?? 0 }
  }

  /// Notes what is known of a document, from what is known before: another process may just have noted something newer.
  func update(_ name: String, _ change: (Entry) -> Entry) throws {
    try update { [name: change($0[name])] }
  }

  /// Notes what is known now.
  ///
  /// - Parameters:
  ///   - cluster: Which engine it is, if everything of it was read, or is.
  ///   - revision: Up to where the engine's commits are known; a lower one than before does not count without a doubt.
  ///   - doubt: Why the documents may not be what this says.
  ///   - count: How often everything had been read when this was found; nil if that makes no difference.
  ///   - decide: Returns what is known of documents, from what other processes have noted; nil if nothing is to be noted.
  /// - Returns: Whether it is noted: not if everything was read since, either.
  @discardableResult
  func update(
    cluster: String? = nil, revision: UInt64? = nil, doubt: SyncLog.Doubt? = nil,
    readingCount count: UInt64? = nil, _ decide: (Entries) -> [String: Entry]? = { _ in [:] }
  ) throws -> Bool {
    var isNoted = false
    try receive { values in
      // Where another process was faster, this is called again.
      isNoted = false
      let known = Self.readingCount(values[SettingsName(Self.readings)])
      guard count == nil || count == known, let entries = decide(Entries(values: values)) else {
        return nil
      }
      isNoted = true
      var received = SettingsStore.ReceivedValues()
      received.update.cluster = cluster
      received.update.doubt = doubt
      if cluster != nil {
        received.values.updateValue(
          .string(String(known &+ 1)), forKey: SettingsName(Self.readings))
      }
      if let revision, doubt != nil || revision > values.log?.revision ?? 0 {
        received.update.revision = revision
      }
      for (name, entry) in entries {
        received.values.updateValue(
          entry.text.map { .string($0) }, forKey: SettingsName(name))
      }
      return received
    }
    return isNoted
  }
}

extension DocumentIndex.Entry {
  private static let removal = "removed"
  private static let behind = "behind"
  private static let coming = "coming"
  private static let merged = "merged"
  fileprivate static let missing = "missing"

  /// `REVISION DIGEST` of the base, `REVISION removed` or a dash, `behind` if it is so, `coming REVISION DIGEST` of what
  /// is to come, `merged DIGEST` if that is merged, `missing ASSET` for each asset that it was sent without, and the
  /// digests of what was sent; nil if nothing is known.
  fileprivate var text: String? {
    if self == Self() { return nil }
    let base = base.map { "\($0.revision) \($0.digest)" }
    let removed = removedRevision.map { "\($0) \(Self.removal)" }
    var words = [base ?? removed ?? "-"]
    if isBehind { words.append(Self.behind) }
    if let coming { words += [Self.coming, "\(coming.revision)", coming.digest] }
    if let merged { words += [Self.merged, merged] }
    for asset in missingAssets { words += [Self.missing, asset] }
    return (words + sent).joined(separator: " ")
  }

  /// - Parameter value: What the index has under a document's name.
  fileprivate init(_ value: PropertyList.Value?) {
    if case .string(let text)? = value { self.init(text: text) } else { self.init() }
  }

  fileprivate init(text: String) {
    var words = text.split(separator: " ").map(String.init)
    if words.count >= 2, let revision = UInt64(words[0]) {
      if words[1] == Self.removal {
        removedRevision = revision
      } else {
        base = DocumentIndex.Base(revision: revision, digest: words[1])
      }
      words.removeFirst(2)
    } else if words.first == "-" {
      words.removeFirst()
    }
    if words.first == Self.behind {
      isBehind = true
      words.removeFirst()
    }
    if words.count >= 3, words[0] == Self.coming, let revision = UInt64(words[1]) {
      coming = DocumentIndex.Base(revision: revision, digest: words[2])
      words.removeFirst(3)
    }
    if words.count >= 2, words[0] == Self.merged {
      merged = words[1]
      words.removeFirst(2)
    }
    while words.count >= 2, words[0] == Self.missing {
      missingAssets.append(words[1])
      words.removeFirst(2)
    }
    sent = words
  }
}
