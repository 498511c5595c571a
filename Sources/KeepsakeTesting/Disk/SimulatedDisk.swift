import KeepsakeBase
public import KeepsakeFiles
public import SystemPackage

/// A disk in memory that fails any call on request and shows what a power cut could leave of it.
///
/// All users of one disk are the processes of one machine. They see what every call did at once;
/// what was not flushed is at stake when the power goes, within the bounds of the disk's
/// ``DiskModel``. ``CutExplorer`` cuts it after every change and ``FailureExplorer`` fails every
/// call in turn.
///
/// Nothing happens on threads of the disk's own: watchers are told by
/// ``write(_:to:permissions:)`` and ``tellWatchers()``.
public final class SimulatedDisk: FileSystem {
  let core: Mutex<Core>
  /// What an explorer of orders does before each call; where it throws, the call fails.
  let beforeCall = Mutex<Hook?>(nil)

  /// In a structure, for each look at a closure in a generic type would wrap it once more.
  struct Hook {
    var run: @Sendable () throws -> Void
  }

  /// An empty disk.
  public convenience init(model: DiskModel = .posix) {
    self.init(DiskState(model: model))
  }

  init(_ state: DiskState) {
    core = Mutex(Core(state: state))
  }

  /// Makes a call: counts it, fails it where that was asked for, and otherwise does it.
  ///
  /// - Parameters:
  ///   - changing: Whether it changes the disk; then it is an event, after which the power may go.
  ///   - body: Is told that only a part is to be done.
  func call<Result: Sendable>(
    _ operation: FileError.Operation, _ path: FilePath, changing: Bool = false,
    failed: @Sendable (inout DiskState, CallFailure) -> Void = { _, _ in },
    _ body: @Sendable (inout DiskState, _ partial: Bool) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    if let hook = beforeCall.withLock({ $0 }) {
      do { try hook.run() } catch { throw FileError(operation, path, .ioError) }
    }
    return try core.withLock { (core) throws(FileError) in
      let call = DiskCall(operation: operation, path: path)
      core.calls.append(call)
      if changing { core.state.lastWrite = nil }
      let failure = core.failures.removeValue(forKey: core.calls.count) ?? core.lasting[operation]
      if let failure, let code = failure.code {
        failed(&core.state, failure)
        if changing { core.record(call) }
        throw FileError(operation, path, code)
      }
      let result = try body(&core.state, failure == .partial)
      if changing {
        core.record(call)
        core.noteChange(of: path)
      }
      return result
    }
  }

  // MARK: FileSystem

  /// Opens one file.
  public func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    let node: Int
    if case .createNew(let permissions) = mode {
      node = try call(.open, path, changing: true) { (state, _) throws(FileError) in
        try state.createFile(path, permissions: permissions)
      }
    } else if mode == .appendCreating, core.withLock({ $0.state.node(at: path) }) == nil {
      node = try call(.open, path, changing: true) { (state, _) throws(FileError) in
        if let node = state.node(at: path) { return node }
        return try state.createFile(path, permissions: .ownerReadWrite)
      }
    } else {
      node = try call(.open, path) { (state, _) throws(FileError) in
        guard let node = state.node(at: path) else {
          _ = try state.place(of: path, .open)
          throw FileError(.open, path, .noSuchFileOrDirectory)
        }
        if state.files[node] == nil { throw FileError(.open, path, .isDirectory) }
        return node
      }
    }
    return SimulatedFile(disk: self, node: node, path: path, isWritable: mode != .read)
  }

  /// What is at a path, or `nil` where nothing is.
  public func information(at path: FilePath) throws(FileError) -> FileInformation? {
    try call(.examine, path) { (state, _) in
      state.node(at: path).map { state.information(of: $0) }
    }
  }

  /// The names in a directory, sorted.
  public func contents(ofDirectory path: FilePath) throws(FileError) -> [String] {
    try call(.list, path) { (state, _) throws(FileError) in
      let directory = try state.directory(at: path, .list)
      return state.directories[directory]!.live.keys.sorted()
    }
  }

  /// Makes one directory.
  public func createDirectory(_ path: FilePath) throws(FileError) {
    try call(.createDirectory, path, changing: true) { (state, _) throws(FileError) in
      try state.createDirectory(path)
    }
  }

  /// Gives a file another name, in place of whatever file had that name.
  public func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try call(.rename, path, changing: true) { (state, _) throws(FileError) in
      try state.rename(path, to: newPath)
    }
    core.withLock { $0.noteChange(of: newPath) }
  }

  /// Gives each of two files the other's name.
  public func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError) {
    try call(.rename, path, changing: true) { (state, _) throws(FileError) in
      try state.exchange(path, with: otherPath)
    }
    core.withLock { $0.noteChange(of: otherPath) }
  }

  /// Gives a file one more name.
  public func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try call(.link, path, changing: true) { (state, _) throws(FileError) in
      try state.link(path, to: newPath)
    }
    core.withLock { $0.noteChange(of: newPath) }
  }

  /// Removes a file, or an empty directory.
  public func remove(_ path: FilePath) throws(FileError) {
    try call(.remove, path, changing: true) { (state, _) throws(FileError) in
      try state.remove(path)
    }
  }

  /// Makes the names in a directory durable.
  public func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    try call(.synchronize, path, changing: true) { (state, failure) in
      if failure != .interrupted, let node = state.node(at: path) { state.forgetUnflushed(node) }
    } _: { (state, _) throws(FileError) in
      state.flush(try state.directory(at: path, .synchronize))
    }
  }

  /// Makes all bytes and names of the disk durable.
  public func synchronizeAll(at directory: FilePath) throws(FileError) {
    try call(.synchronize, directory, changing: true) { (state, failure) in
      if failure != .interrupted { state.forgetUnflushed() }
    } _: { (state, _) throws(FileError) in
      _ = try state.directory(at: directory, .synchronize)
      state.flush()
    }
  }

  /// Opens the lock of all users of this disk; its file is durable at once.
  public func lock(at path: FilePath) throws(FileError) -> any FileLock {
    let node = try call(.lock, path) { (state, _) throws(FileError) in
      if let node = state.node(at: path) {
        if state.files[node] == nil { throw FileError(.lock, path, .isDirectory) }
        return node
      }
      _ = try state.place(of: path, .lock)
      return try state.put([], at: path, permissions: .ownerReadWrite)
    }
    let owners = core.withLock { core in
      if let owners = core.locks[node]?.value { return owners }
      let owners = SimulatedLock.Owners()
      core.locks[node] = Weak(owners)
      return owners
    }
    return SimulatedLock(disk: self, path: path, owners: owners)
  }

  /// Tells when files in a directory changed, as soon as ``tellWatchers()`` is called.
  public func watch(
    directory: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    let node = try call(.watch, directory) { (state, _) throws(FileError) in
      try state.directory(at: directory, .watch)
    }
    let watch = SimulatedWatch(directory: node, handler)
    core.withLock { $0.watches.append(Weak(watch)) }
    return watch
  }

  /// Tells when the bytes of a file changed, as soon as ``tellWatchers()`` is called.
  public func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch {
    let directory = file.removingLastComponent()
    return try watch(directory: directory.isEmpty ? "/" : directory) { _ = handler() }
  }
}
