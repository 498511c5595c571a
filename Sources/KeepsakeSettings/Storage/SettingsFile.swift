import Dispatch
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The values of one property list and its journal: read from memory, written through the journal,
/// shared with every other process that has them open.
///
/// - `SettingsFile+Opening.swift` finds out what was cut off when the files were last used.
/// - `SettingsFile+Writing.swift` takes the processes' common lock, catches up with what others wrote,
///   appends one record and applies it.
/// - `SettingsFile+Checkpoint.swift` writes the property list anew from the journal, and takes over what
///   a person edited in it.
/// - `SettingsFile+Time.swift` says when.
/// - `SettingsFile+Rejoining.swift` goes on where others replaced a file that is open here.
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
    case readWrite(any FileCoordinator)
    /// Nothing can be said of the values, so none is given and none is written.
    case unavailable(SettingsError)
  }

  /// All that a writer changes; its lock is held while the disk is at work, and never by a reader.
  struct Writer: ~Copyable, Sendable {
    var access: Access
    /// The changes since the property list was written, where it can be.
    var journal: Journal?
    /// The number of the journal's first record.
    var generation: UInt64 = 0
    /// The property list that the journal builds on.
    var fingerprint = Fingerprint(of: nil)
    /// The lock's file, which parts those who share it from those who made it anew.
    var lockIdentity: FileIdentity?
    /// Whether the property list was removed or cannot be read, and is to be written anew.
    var isBaseLost = false
    /// What the property list was when it was last read or written.
    var stamp: FileInformation?
    /// Why the files could not be opened for writing; the journal counts all the same.
    var refusal: FileError?
    /// Whether the journal's end has to be looked for, for a write failed half-way.
    var isUnsure = false
    /// A flush that failed: nothing written before can be trusted to be on the disk.
    var poison: FileError?
    /// Whether a look at the journal is due, and what it saw last.
    var isTickDue = false
    var tickedSequence: UInt64 = 0
    var tickedStamp: FileInformation?
    var quietTicks = 0
    var failedTicks = 0
    var watch: (any FileWatch)?
    var isClosed = false
    /// What the processes shared of files that were removed, until its doorbell is let go of.
    var abandoned: (any FileCoordinator)?

    init(access: Access) { self.access = access }

    /// What the processes that write share, where this one can.
    var coordinator: (any FileCoordinator)? {
      if case .readWrite(let coordinator) = access { coordinator } else { nil }
    }
  }

  let path: FilePath
  let journalPath: FilePath
  let lockPath: FilePath
  let folder: FilePath
  let fileSystem: any FileSystem
  /// Why nothing can be said of the values, if that is so.
  let unavailability: SettingsError?
  let writer: Mutex<Writer>
  let contents: Mutex<SettingsContents>
  /// The last record that is safe against a power cut, and the journal it is in; the lock is held
  /// while the disk flushes.
  let flushed = Mutex<(file: (any OpenFile)?, sequence: UInt64)>((nil, 0))
  /// The thread that runs the body of a transaction, which holds the writer's lock; 0 where none does.
  private let transactionThread = Atomic<UInt>(0)
  /// Whether the files were removed for good, here or by another process.
  let isRemoved = Atomic<Bool>(false)
  /// Whether ticks come by themselves, as they do everywhere but on a simulated disk.
  let isAutomatic: Bool
  let flushing = DispatchQueue(label: "keepsake.settings.flush")

  private let observer = Mutex<(@Sendable ([SettingsName]) -> Void)?>(nil)
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
    journalPath = path.replacingExtension("journal")
    lockPath = path.replacingExtension("lock")
    folder = path.removingLastComponent()
    self.fileSystem = fileSystem
    unavailability = if case .unavailable(let error) = access { error } else { nil }
    self.writer = Mutex(Writer(access: access))
    self.contents = Mutex(SettingsContents())
    self.isAutomatic = isAutomatic
    self.report = report
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

  // MARK: Telling

  /// Sets who is told of the names whose values others changed.
  func onChange(_ observer: (@Sendable ([SettingsName]) -> Void)?) {
    self.observer.withLock { $0 = observer }
  }

  /// Tells of keys that others changed; never called with a lock held.
  func tell(_ keys: [SettingsName]) {
    if keys.isEmpty { return }
    observer.withLock { $0 }?(keys)
  }
}

extension FilePath {
  /// The path with its last extension replaced, or one added.
  func replacingExtension(_ new: String) -> FilePath {
    var path = self
    path.extension = new
    return path
  }
}
