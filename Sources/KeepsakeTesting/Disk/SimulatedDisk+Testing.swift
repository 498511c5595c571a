import KeepsakeBase
public import KeepsakeFiles
public import SystemPackage

extension SimulatedDisk {
  // MARK: Contents

  /// Writes a file as another program would, and notifies the directory's watchers.
  ///
  /// The file is durable immediately and replaces any at the path; missing directories are created.
  public func write(
    _ bytes: some Sequence<UInt8>, to path: FilePath,
    permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) {
    let bytes = Array(bytes)
    try core.withLock { (core) throws(FileError) in
      try core.state.put(bytes, at: path, permissions: permissions)
      core.noteChange(of: path)
    }
    notifyWatchers()
  }

  /// Returns the bytes of a file as processes see them; `nil` if there is no such file.
  public func bytes(at path: FilePath) -> [UInt8]? {
    core.withLock { core in core.state.node(at: path).flatMap { core.state.files[$0]?.live } }
  }

  /// All files, as processes see them.
  public var files: [FilePath: [UInt8]] {
    core.withLock { core in
      var files: [FilePath: [UInt8]] = [:]
      core.state.visitFiles { path, file in files[path] = file.live }
      return files
    }
  }

  /// Damages one byte of a file, durably.
  ///
  /// - Precondition: The file exists and contains the offset.
  public func corrupt(_ path: FilePath, at offset: Int, xor mask: UInt8) {
    core.withLock { core in
      guard let node = core.state.node(at: path), core.state.files[node] != nil else {
        preconditionFailure("no file at \(path)")
      }
      core.state.corrupt(node, at: offset, xor: mask)
    }
  }

  /// Describes each file, with its size and first bytes, and each pending update on one line.
  public func describe() -> String {
    core.withLock { core in
      var lines: [String] = []
      core.state.visitFiles { path, file in
        let text = String(decoding: file.live.prefix(120), as: UTF8.self)
        lines.append("\(path), \(file.live.count) bytes: \(text.debugDescription)")
      }
      lines += core.state.pending.map { "pending: \($0)" }
      return lines.joined(separator: "\n")
    }
  }

  // MARK: Time

  /// Records a mark, so that a check knows what the scenario had done before a cut.
  public func mark(_ text: String) {
    core.withLock { core in
      core.marks.append(text)
      guard var moment = core.moments?.last else { return }
      moment.marks = core.marks
      if core.state.model == .processDeath {
        // The last write is known to be complete.
        core.state.lastWrite = nil
        moment.state.lastWrite = nil
      } else {
        core.moments?.removeLast()
      }
      core.moments?.append(moment)
    }
  }

  /// Returns the disk after all processes have died: no bytes are lost; pending updates remain
  /// pending.
  public func restarted() -> SimulatedDisk {
    SimulatedDisk(core.withLock { $0.state })
  }

  /// Returns the distinct disks that can remain if the power fails now.
  ///
  /// - Parameters:
  ///   - samples: The number of random combinations if there are too many to try all.
  ///   - seed: The seed of the random combinations.
  public func statesAfterPowerCut(samples: Int = 64, seed: UInt64 = 1) async -> [SimulatedDisk] {
    let state = core.withLock { $0.state }
    var known: Set<Int> = []
    var disks: [SimulatedDisk] = []
    await state.visitStates(samples: samples, seed: seed) { state in
      if known.insert(state.contentHash).inserted { disks.append(SimulatedDisk(state)) }
    }
    return disks
  }

  // MARK: Failures

  /// The calls so far; the first has the number 1.
  public var calls: [SimulatedDisk.Call] { core.withLock { $0.calls } }

  /// Makes one call fail.
  ///
  /// - Parameters:
  ///   - number: The call's number among all calls to the disk, from 1.
  ///   - failure: How it fails.
  public func fail(call number: Int, with failure: SimulatedDisk.Failure) {
    core.withLock { $0.failures[number] = failure }
  }

  /// Makes every later call of one kind fail.
  public func failAlways(
    _ operation: FileError.Operation, with failure: SimulatedDisk.Failure = .ioError
  ) {
    core.withLock { $0.lasting[operation] = failure }
  }

  /// Stops all failures: later calls succeed.
  public func stopFailing() {
    core.withLock { core in
      core.failures = [:]
      core.lasting = [:]
    }
  }

  // MARK: Watchers

  /// Notifies the watchers of directories that changed since their last notification.
  ///
  /// The test decides when: a program's own calls do not notify it.
  public func notifyWatchers() {
    for watch in core.withLock({ $0.watches.compactMap(\.value) }) {
      watch.notify()
    }
  }
}

extension DiskState {
  /// Visits all files that have a name, sorted by path.
  func visitFiles(_ visit: (FilePath, File) -> Void) {
    visitFiles(in: Self.root, at: "/", visit)
  }

  private func visitFiles(in directory: Int, at path: FilePath, _ visit: (FilePath, File) -> Void) {
    for (name, node) in directories[directory]!.live.sorted(by: { $0.key < $1.key }) {
      if let file = files[node] {
        visit(path.appending(name), file)
      } else {
        visitFiles(in: node, at: path.appending(name), visit)
      }
    }
  }
}
