import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The values of one property list and its journals: read from memory, written by one append to the
/// journal, shared with every other process that has them open.
///
/// `docs/journal.md` has the protocol.
/// - `SettingsFile+Opening.swift` reads the property list and the journals that it does not contain.
/// - `SettingsFile+Writing.swift` appends records: changes and transactions.
/// - `SettingsFile+Following.swift` reads what others append, and goes on from journal to journal.
/// - `SettingsFile+Checkpoint.swift` writes the property list and begins the next journal.
/// - `SettingsFile+Editing.swift` takes over what a person edited in the property list.
/// - `SettingsFile+Rescue.swift` goes on where the files were removed or replaced.
/// - `SettingsFile+Flushing.swift` makes the journals safe against a power cut.
/// - `SettingsFile+Ticks.swift` says when that, and the property list, is done without being asked.
/// - `SettingsFile+Ending.swift` closes the files, or removes them.
///
/// What listens for changes keeps the object alive until it is closed.
final class SettingsFile: Sendable {
  /// What can be done with the files.
  enum Access: Sendable {
    /// There are none: values live as long as the object.
    case memory
    /// The property list is read and watched; nothing is written.
    case readOnly
    /// All of it.
    case readWrite(any FileLock)
    /// Nothing can be said of the values, so none is given and none is written.
    case unavailable(SettingsError)
  }

  /// All that a writer changes; its lock is never held by a reader.
  struct Writer: ~Copyable, Sendable {
    var access: Access
    /// The journal that is being written, where it can be.
    var journal: Journal?
    /// The journal's number.
    var generation: UInt64 = 1
    /// How often other files took the place of those that were open.
    var epoch: UInt64 = 0
    /// The record that ended the journal, once it was read.
    var end: SettingsRecord.Kind?
    /// The first journal that the property list does not contain.
    var propertyListJournal: UInt64 = 1 {
      didSet { unflushed = unflushed.filter { $0.key >= propertyListJournal } }
    }
    /// What the property list was when it was last read or written.
    var stamp: FileInformation?
    /// Whether the property list is missing or cannot be read, and is to be written again.
    var isPropertyListLost = false
    /// Whether the values of an edited property list were taken over without knowing which were edited:
    /// all processes are to read them.
    var isEditForeign = false
    /// How far the last flush that began makes the journals safe against a power cut.
    var flushing = Position()
    /// Why the files could not be opened for writing; the journals count all the same.
    var refusal: FileError?
    /// A journal that lost records and is to be copied before it is deleted.
    var damaged: (journal: any OpenFile, damage: JournalDamage)?
    /// Where damage at the journal's end was found, which is between records once one follows.
    var damagedTail: Int64?
    /// Whether nothing can be written, for the directory is no longer at its path.
    var isDirectoryGone = false
    /// A flush that failed: nothing written before can be trusted to be on the disk.
    var failedFlush: FileError?
    /// The files of journals before this one that are still to be flushed, by number: the kernel reports
    /// a write that failed once to each file that was open then, and to none that is opened later.
    var unflushed: [UInt64: any OpenFile] = [:]
    /// The process that opened the journal, for a forked child opens its own.
    var fork = ProcessFork.count
    /// Until when the lock of transactions is not asked for, since one that was stopped holds it.
    var ignoresTransactionLock: ContinuousClock.Instant?
    /// Whether a tick is due, and what the one before saw.
    var isTickDue = false
    var tickedPosition = Position()
    var tickedStamp: FileInformation?
    var quietTicks = 0
    var failedTicks = 0
    var directoryWatch: (any FileWatch)?
    var propertyListWatch: (any FileWatch)?
    var journalWatch: (any FileWatch)?
    var isClosed = false

    init(access: Access) { self.access = access }

    /// The lock of the processes that write, where this one can.
    var lock: (any FileLock)? {
      if case .readWrite(let lock) = access { lock } else { nil }
    }

    /// How far the journals were read.
    var position: Position {
      mutating get { Position(epoch: epoch, generation: generation, end: journal?.end ?? 0) }
    }
  }

  /// How far journals were read or flushed.
  struct Position: Comparable {
    /// How often other files took the place of those that were open: numbers begin again with them.
    var epoch: UInt64 = 0
    var generation: UInt64 = 0
    var end: Int64 = 0

    static func < (first: Position, second: Position) -> Bool {
      (first.epoch, first.generation, first.end) < (second.epoch, second.generation, second.end)
    }
  }

  /// The parts of the processes' lock.
  enum LockPart {
    /// Held while the property list is written, or the files are removed.
    static let checkpoint = 0
    /// Held by a transaction that met conflicts.
    static let transaction = 1
    /// Held around an append where the file system does not keep appends apart.
    static let append = 2
  }

  let path: FilePath
  /// The path of the property list without its extension.
  private let stem: String
  let directory: FilePath
  let fileSystem: any FileSystem
  /// Why nothing can be said of the values, if that is so.
  let unavailability: SettingsError?
  let writer: Mutex<Writer>
  let contents: Mutex<SettingsContents>
  /// How far the journals are safe against a power cut; the lock is held while the disk flushes.
  let flushed = Mutex(Position())
  let flushGroup = Mutex(FlushGroup())
  /// Signaled when as many tasks wait as shared the last flush.
  let isGroupComplete = DispatchSemaphore(value: 0)
  /// The last journal whose name is safe against a power cut.
  let flushedName = Atomic<UInt64>(0)
  /// Whether this object holds the processes' lock for writing the property list.
  let holdsCheckpointLock = Atomic<Bool>(false)
  /// How often this process left an edited property list to others.
  let deferredLoads = Atomic<Int>(0)
  /// Held while this process writes the property list.
  let checkpointing = Mutex(())
  /// The thread that runs the body of a transaction, which holds the writer's lock; 0 where none does.
  private let transactionThread = Atomic<UInt>(0)
  /// How many records this object appended, each after it read what others had appended before.
  let appends = Atomic<UInt64>(0)
  /// The number of appends when the journal's watch was last heard.
  let heardAppends = Atomic<UInt64>(0)
  /// Whether the journal is to be read again soon.
  let isRereading = Atomic<Bool>(false)
  /// Whether the files were removed permanently, here or by another process.
  let isRemoved = Atomic<Bool>(false)
  /// Whether the files are watched, flushed and written without being asked, as they are everywhere but
  /// on a simulated disk.
  let isAutomatic: Bool
  let flushing = DispatchQueue(label: "keepsake.settings.flush")
  /// Where observers of others' changes run.
  let notifying = DispatchQueue(label: "keepsake.settings.notify")

  /// Receives the names whose values others changed, and where those may be notified who take their
  /// time; `nil` for at once.
  typealias Observer = @Sendable ([SettingsName], DispatchQueue?) -> Void

  /// In a structure, for each look at a closure in a generic type would wrap it once more.
  private struct Listener {
    var observer: Observer
  }

  private let listener = Mutex<Listener?>(nil)
  let report: @Sendable (SettingsError) -> Void

  /// Values that live as long as the object.
  convenience init(inMemoryNamed name: String) {
    self.init(
      path: FilePath(name), fileSystem: LocalFileSystem(), access: .memory, isAutomatic: false,
      report: { _ in })
  }

  /// Values of which nothing can be said.
  convenience init(unavailable error: SettingsError, path: FilePath) {
    self.init(
      path: path, fileSystem: LocalFileSystem(), access: .unavailable(error), isAutomatic: false,
      report: { _ in })
  }

  init(
    path: FilePath, fileSystem: any FileSystem, access: Access, isAutomatic: Bool,
    report: @escaping @Sendable (SettingsError) -> Void
  ) {
    self.path = path
    let text = path.string
    stem = text.hasSuffix(".plist") ? String(text.dropLast(6)) : text
    directory = path.removingLastComponent()
    self.fileSystem = fileSystem
    unavailability = if case .unavailable(let error) = access { error } else { nil }
    self.writer = Mutex(Writer(access: access))
    self.contents = Mutex(SettingsContents())
    self.isAutomatic = isAutomatic
    self.report = report
  }

  // MARK: Names of files

  var lockPath: FilePath { FilePath("\(stem).lock") }

  /// The path of a journal.
  func journalPath(_ generation: UInt64) -> FilePath {
    FilePath("\(stem).journal-\(generation)")
  }

  /// The numbers of the journals that are there, ascending.
  func journalNumbers() throws(FileError) -> [UInt64] {
    let prefix = (FilePath(stem).lastComponent?.string ?? "") + ".journal-"
    return try fileSystem.contents(ofDirectory: directory)
      .compactMap { $0.hasPrefix(prefix) ? UInt64($0.dropFirst(prefix.count)) : nil }
      .filter { (1...UInt64.max / 2).contains($0) }
      .sorted()
  }

  // MARK: Transactions

  /// Says whether this thread runs the body of a transaction; called with the writer's lock held.
  func setInTransaction(_ isInTransaction: Bool) {
    transactionThread.store(isInTransaction ? ThreadIdentity.current : 0, ordering: .relaxed)
  }

  /// Throws inside the body of a transaction, where a call would wait for the lock that it holds.
  func checkNotInTransaction() throws(SettingsError) {
    // No other thread ever stores this thread's identity.
    let thread = transactionThread.load(ordering: .relaxed)
    if thread != 0, thread == ThreadIdentity.current {
      throw SettingsError(
        .inTransaction,
        "a transaction is under way on this thread; make the change through it, or after it; nothing was changed",
        file: path)
    }
  }

  // MARK: Reading

  /// The value of a name and the number of the last change to any.
  func value(of name: SettingsName) -> (value: PropertyList.Value?, sequence: UInt64) {
    contents.withLock { ($0[name], $0.sequence) }
  }

  /// All values there are.
  ///
  /// - Complexity: O(*n*).
  var all: [String: PropertyList.Value] { contents.withLock { $0.merged } }

  // MARK: Notifying

  /// Sets who is notified of the names whose values others changed.
  func onChange(_ observer: Observer?) {
    listener.withLock { $0 = observer.map { Listener(observer: $0) } }
  }

  /// Notifies of keys that others changed; never called with a lock held.
  ///
  /// - Parameter queue: Where observers run that may take their time; `nil` for at once.
  func notify(_ keys: [SettingsName], on queue: DispatchQueue? = nil) {
    if keys.isEmpty { return }
    listener.withLock { $0 }?.observer(keys, queue)
  }
}
