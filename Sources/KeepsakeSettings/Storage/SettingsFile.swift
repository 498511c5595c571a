import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The values of one property list and its journals: read from memory, written by one append to the
/// journal, shared with every other process that has the files open.
///
/// `docs/journal.md` specifies the protocol.
/// - `SettingsFile+Opening.swift` reads the property list and the journals that it does not contain.
/// - `SettingsFile+Writing.swift` appends records: changes and transactions.
/// - `SettingsFile+Following.swift` reads external changes, and moves to the next journal.
/// - `SettingsFile+Checkpoint.swift` writes the property list and begins the next journal.
/// - `SettingsFile+Editing.swift` applies manual edits of the property list.
/// - `SettingsFile+Rescue.swift` recovers from files that another program removed or replaced.
/// - `SettingsFile+Preserving.swift` keeps values that are replaced and may be wanted again.
/// - `SettingsFile+Flushing.swift` flushes the journals to the disk.
/// - `SettingsFile+Ticks.swift` schedules automatic flushes and checkpoints.
/// - `SettingsFile+Ending.swift` closes the files, or removes them.
///
/// Its watches retain the object until it is closed.
final class SettingsFile: Sendable {
  /// How the files can be used.
  enum Access: Sendable {
    /// There are no files; the values exist as long as the object.
    case memory
    /// The property list is read and watched, and nothing is written.
    case readOnly
    /// Everything is read and written; processes share the lock.
    case readWrite(any FileLock)
    /// The values are unknown, so none is returned and none is written.
    case unavailable(SettingsError)
  }

  /// The state that writers change; readers never acquire its lock.
  struct Writer: ~Copyable, Sendable {
    var access: Access
    /// The directory that the files were opened in.
    var directory: FileInformation.Identity?
    /// The lock's file then; `nil` if there is none.
    var lockFile: FileInformation.Identity?
    /// The current journal; `nil` if changes cannot be written to one.
    var journal: Journal?
    /// The number of the current journal.
    var generation: UInt64 = 1
    /// How many times the open files were replaced by others.
    var epoch: UInt64 = 0
    /// The kind of the record that ended the journal; `nil` until it is read.
    var end: SettingsRecord.Kind?
    /// Up to where the writer of that record had read the journal.
    var endOffset: Int64 = 0
    /// The first journal that the property list does not contain.
    var propertyListJournal: UInt64 = 1 {
      didSet { unflushed = unflushed.filter { $0.key >= propertyListJournal } }
    }
    /// The attributes of the property list when it was last read or written.
    var stamp: FileInformation?
    /// Whether the property list is missing or cannot be read, and must be written again.
    var isPropertyListLost = false
    /// Why the values may not be what the log in the opened files says.
    var doubt: SyncLog.Doubt?
    /// Whether all processes must read the property list again: an edited one was read, and it is
    /// unknown which values were edited.
    var requiresReload = false
    /// The position up to which the most recently started flush covers the journals.
    var flushing = Position()
    /// The error of opening the files for writing; the journals are read nevertheless.
    var openError: FileError?
    /// A journal with unreadable records, which must be copied before it is deleted.
    var damaged: (journal: any OpenFile, damage: JournalDamage)?
    /// The offset of damage at the journal's end, which becomes a gap when a record follows.
    var damagedTail: Int64?
    /// Values of other processes that the last own record replaced before this process read them.
    var unseen: [SettingsName: PropertyList.Value] = [:]
    /// Whether nothing can be written, because the directory no longer exists at its path.
    var isDirectoryGone = false
    /// The error of a failed flush, after which earlier writes may be missing from the disk.
    var failedFlush: FileError?
    /// The unflushed files of earlier journals, by number. They stay open because the kernel reports a
    /// failed write only to files that were open at the time, and once to each.
    var unflushed: [UInt64: any OpenFile] = [:]
    /// The fork count of the process that opened the journal; a forked child opens its own.
    var fork = ProcessFork.count
    /// Until when the transaction lock is not requested, because a stopped process may hold it.
    var ignoresTransactionLock: ContinuousClock.Instant?
    /// Whether a tick is scheduled, and the state at the last one.
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

    /// The lock between processes; `nil` if this one cannot write.
    var lock: (any FileLock)? {
      if case .readWrite(let lock) = access { lock } else { nil }
    }

    /// The position up to which the journals were read.
    var position: Position {
      mutating get { Position(epoch: epoch, generation: generation, end: journal?.end ?? 0) }
    }
  }

  /// A position in the journals.
  struct Position: Comparable {
    /// How many times the open files were replaced; generations start again with the new files.
    var epoch: UInt64 = 0
    var generation: UInt64 = 0
    var end: Int64 = 0

    static func < (first: Position, second: Position) -> Bool {
      (first.epoch, first.generation, first.end) < (second.epoch, second.generation, second.end)
    }
  }

  /// The parts of the lock between processes.
  enum LockPart {
    /// Held while the property list is written, or the files are removed.
    static let checkpoint = 0
    /// Held by a transaction that had a conflict.
    static let transaction = 1
    /// Held during an append if the file system may interleave appends.
    static let append = 2
    /// Held by the process that keeps the values in agreement with those of other machines.
    static let sharing = 3
  }

  let path: FilePath
  /// The path of the property list without its extension.
  private let stem: String
  let directory: FilePath
  let fileSystem: any FileSystem
  /// The error that makes the values unknown, if there is one.
  let unavailability: SettingsError?
  /// Whether the values exist only as long as the object.
  let isInMemory: Bool
  let writer: Mutex<Writer>
  let contents: Mutex<SettingsContents>
  /// The position up to which the journals survive a power cut; locked during a flush.
  let flushed = Mutex(Position())
  let flushGroup = Mutex(FlushGroup())
  /// Signaled when as many tasks wait as shared the last flush.
  let isGroupComplete = DispatchSemaphore(value: 0)
  /// The number of the last journal whose name survives a power cut.
  let flushedName = Atomic<UInt64>(0)
  /// Whether this object holds ``LockPart/checkpoint``.
  let holdsCheckpointLock = Atomic<Bool>(false)
  /// How many times this process let other processes load an edited property list first.
  let deferredLoads = Atomic<Int>(0)
  /// Held while this process writes the property list.
  let checkpointing = Mutex(())
  /// The thread that runs the body of a transaction and holds the writer's lock; 0 if there is none.
  private let transactionThread = Atomic<UInt>(0)
  /// How many records this object appended, each counted after all records before it were read.
  let appends = Atomic<UInt64>(0)
  /// The value of `appends` when the journal's watch last reported a change.
  let notifiedAppends = Atomic<UInt64>(0)
  /// Whether another read of the journal is scheduled.
  let isRereading = Atomic<Bool>(false)
  /// The values that were replaced and are kept, if there are no files.
  let preservedInMemory = Mutex<[PreservedValue]>([])
  /// Whether the files were removed permanently, by this or another process.
  let isRemoved = Atomic<Bool>(false)
  /// Whether the files are watched, flushed and checkpointed automatically; false on a simulated
  /// disk.
  let isAutomatic: Bool
  /// Whether the values are derived from other files beside these, and say nothing about others that are put in their
  /// place.
  let isDerived: Bool
  let flushing = DispatchQueue(label: "keepsake.settings.flush")
  /// The queue on which observers of external changes run.
  let notifying = DispatchQueue(label: "keepsake.settings.notify")

  /// Receives the names whose values changed externally, and the queue on which to call observers that
  /// may take long; `nil` calls them immediately.
  typealias Observer = @Sendable ([SettingsName], DispatchQueue?) -> Void

  /// A structure, because each read of a closure from a generic type would wrap it again.
  private struct Listener {
    var observer: Observer
  }

  private let listener = Mutex<Listener?>(nil)
  let report: @Sendable (SettingsError) -> Void

  /// Creates values that exist as long as the object.
  convenience init(inMemoryNamed name: String) {
    self.init(
      path: FilePath(name), fileSystem: LocalFileSystem(), access: .memory, isAutomatic: false,
      report: { _ in })
  }

  /// Creates an object whose values are unknown.
  convenience init(unavailable error: SettingsError, path: FilePath) {
    self.init(
      path: path, fileSystem: LocalFileSystem(), access: .unavailable(error), isAutomatic: false,
      report: { _ in })
  }

  init(
    path: FilePath, fileSystem: any FileSystem, access: Access, isAutomatic: Bool,
    isDerived: Bool = false, report: @escaping @Sendable (SettingsError) -> Void
  ) {
    self.path = path
    let text = path.string
    stem = text.hasSuffix(".plist") ? String(text.dropLast(6)) : text
    directory = path.removingLastComponent()
    self.fileSystem = fileSystem
    unavailability = if case .unavailable(let error) = access { error } else { nil }
    isInMemory = if case .memory = access { true } else { false }
    self.writer = Mutex(Writer(access: access))
    self.contents = Mutex(SettingsContents())
    self.isAutomatic = isAutomatic
    self.isDerived = isDerived
    self.report = report
  }

  // MARK: File names

  var lockPath: FilePath { FilePath("\(stem).lock") }

  func journalPath(_ generation: UInt64) -> FilePath {
    FilePath("\(stem).journal-\(generation)")
  }

  /// The numbers of the journals that exist, in ascending order.
  func journalNumbers() throws(FileError) -> [UInt64] {
    let prefix = (FilePath(stem).lastComponent?.string ?? "") + ".journal-"
    return try fileSystem.contents(ofDirectory: directory)
      .compactMap { $0.hasPrefix(prefix) ? UInt64($0.dropFirst(prefix.count)) : nil }
      .filter { (1...UInt64.max / 2).contains($0) }
      .sorted()
  }

  // MARK: Transactions

  /// Records whether this thread runs the body of a transaction; the writer's lock must be held.
  func setInTransaction(_ isInTransaction: Bool) {
    transactionThread.store(isInTransaction ? ThreadIdentity.current : 0, ordering: .relaxed)
  }

  /// Throws inside the body of a transaction, where a call would wait for a lock that its own thread
  /// holds.
  func checkNotInTransaction() throws(SettingsError) {
    // No other thread ever stores this thread's identity.
    let thread = transactionThread.load(ordering: .relaxed)
    if thread != 0, thread == ThreadIdentity.current {
      throw SettingsError(
        .inTransaction,
        "a transaction is in progress on this thread",
        effect: "nothing was changed; make the change in the transaction or after it", file: path)
    }
  }

  // MARK: Reading

  /// The value of a name, and the sequence number of the last change of any value.
  func value(of name: SettingsName) -> (value: PropertyList.Value?, sequence: UInt64) {
    contents.withLock { ($0[name], $0.sequence) }
  }

  /// Whether a type is known to read the value of a name completely.
  func knows(_ name: SettingsName, as type: ObjectIdentifier) -> Bool {
    contents.withLock { $0.beforeChange(of: name, by: type).isKnown }
  }

  /// All values.
  ///
  /// - Complexity: O(*n*).
  var all: [SettingsName: PropertyList.Value] { contents.withLock { $0.merged } }

  // MARK: Notifying

  /// Sets the closure that receives the names whose values changed externally.
  func onChange(_ observer: Observer?) {
    listener.withLock { $0 = observer.map { Listener(observer: $0) } }
  }

  /// Reports external changes to the observer; the caller must not hold a lock.
  ///
  /// - Parameter queue: Where observers that may take long run; `nil` runs them immediately.
  func notify(_ keys: [SettingsName], on queue: DispatchQueue? = nil) {
    if keys.isEmpty { return }
    listener.withLock { $0 }?.observer(keys, queue)
  }
}
