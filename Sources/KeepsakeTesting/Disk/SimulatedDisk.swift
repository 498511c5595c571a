import KeepsakeBase
public import KeepsakeFiles
public import SystemPackage

/// A disk in memory that can fail any call and shows the states that a power cut can leave.
///
/// All users of one disk represent processes on one machine. They see the effect of each call
/// immediately; in a power cut, unflushed changes can be lost as the disk's ``SimulatedDisk/Model`` allows.
/// ``CutExplorer`` cuts the power after every change; ``FailureExplorer`` fails every call in turn.
///
/// The disk has no threads of its own: ``write(_:to:permissions:)`` and ``notifyWatchers()`` notify
/// watchers.
public final class SimulatedDisk: FileSystem {
  let core: Mutex<Core>
  /// Runs before each call, for ``InterleavingExplorer``; if it throws, the call fails.
  let beforeCall = Mutex<Hook?>(nil)

  /// A structure, because each read of a closure from a generic type would wrap it again.
  struct Hook {
    var run: @Sendable () throws -> Void
  }

  /// Creates an empty disk.
  public convenience init(model: SimulatedDisk.Model = .posix) {
    self.init(DiskState(model: model))
  }

  init(_ state: DiskState) {
    core = Mutex(Core(state: state))
  }

  /// Makes a call: counts it, then fails it as requested or performs it.
  ///
  /// - Parameters:
  ///   - changing: Whether it changes the disk; it is then an event, after which the power may
  ///     fail.
  ///   - failed: Applies the effects of a failed call.
  ///   - body: Performs the call; receives whether to perform only a part of it.
  func call<Result: Sendable>(
    _ operation: FileError.Operation, _ path: FilePath, changing: Bool = false,
    failed: @Sendable (inout DiskState, SimulatedDisk.Failure) -> Void = { _, _ in },
    _ body: @Sendable (inout DiskState, _ partial: Bool) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    if let hook = beforeCall.withLock({ $0 }) {
      do { try hook.run() } catch { throw FileError(operation, path, .ioError) }
    }
    return try core.withLock { (core) throws(FileError) in
      let call = SimulatedDisk.Call(operation: operation, path: path)
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
          _ = try state.location(of: path, .open)
          throw FileError(.open, path, .noSuchFileOrDirectory)
        }
        if state.files[node] == nil { throw FileError(.open, path, .isDirectory) }
        return node
      }
    }
    return SimulatedFile(disk: self, node: node, path: path, isWritable: mode != .read)
  }

  /// Returns information about the file or directory at a path; `nil` if there is none.
  public func information(at path: FilePath) throws(FileError) -> FileInformation? {
    try call(.examine, path) { (state, _) in
      state.node(at: path).map { state.information(of: $0) }
    }
  }

  /// Returns the names in a directory, sorted.
  public func contents(ofDirectory path: FilePath) throws(FileError) -> [String] {
    try call(.list, path) { (state, _) throws(FileError) in
      let directory = try state.directory(at: path, .list)
      return state.directories[directory]!.live.keys.sorted()
    }
  }

  /// Creates one directory.
  public func createDirectory(_ path: FilePath) throws(FileError) {
    try call(.createDirectory, path, changing: true) { (state, _) throws(FileError) in
      try state.createDirectory(path)
    }
  }

  /// Renames a file, replacing any file that has the new name.
  public func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try call(.rename, path, changing: true) { (state, _) throws(FileError) in
      try state.rename(path, to: newPath)
    }
    core.withLock { $0.noteChange(of: newPath) }
  }

  /// Exchanges the names of two files.
  public func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError) {
    try call(.rename, path, changing: true) { (state, _) throws(FileError) in
      try state.exchange(path, with: otherPath)
    }
    core.withLock { $0.noteChange(of: otherPath) }
  }

  /// Adds another name to a file.
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

  /// Opens a lock that all users of this disk share; its file is durable immediately.
  public func lock(at path: FilePath) throws(FileError) -> any FileLock {
    let node = try call(.lock, path) { (state, _) throws(FileError) in
      if let node = state.node(at: path) {
        if state.files[node] == nil { throw FileError(.lock, path, .isDirectory) }
        return node
      }
      _ = try state.location(of: path, .lock)
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

  /// Watches a directory; ``notifyWatchers()`` calls the handler if files in it changed.
  public func watch(
    directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    let node = try call(.watch, directory) { (state, _) throws(FileError) in
      try state.directory(at: directory, .watch)
    }
    let watch = SimulatedWatch(directory: node, handler)
    core.withLock { $0.watches.append(Weak(watch)) }
    return watch
  }

  /// Watches a file; ``notifyWatchers()`` calls the handler if files in its directory changed.
  public func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch {
    let directory = file.removingLastComponent()
    return try watch(directory: directory.isEmpty ? "/" : directory) { _ in _ = handler() }
  }
}
