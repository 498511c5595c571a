import KeepsakeBase
public import KeepsakeFiles
public import SystemPackage

extension SimulatedDisk {
  // MARK: Contents

  /// Puts a file on the disk as another program would, durable at once, in place of any that is
  /// there; missing directories are made, and the directory's watchers are told.
  public func write(
    _ bytes: some Sequence<UInt8>, to path: FilePath,
    permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) {
    let bytes = Array(bytes)
    try core.withLock { (core) throws(FileError) in
      try core.state.put(bytes, at: path, permissions: permissions)
      core.noteChange(of: path)
    }
    tellWatchers()
  }

  /// The bytes of a file as processes see them, or `nil` where none is.
  public func bytes(at path: FilePath) -> [UInt8]? {
    core.withLock { core in core.state.node(at: path).flatMap { core.state.files[$0]?.live } }
  }

  /// All files as processes see them.
  public var files: [FilePath: [UInt8]] {
    core.withLock { core in
      var files: [FilePath: [UInt8]] = [:]
      core.state.visitFiles { path, file in files[path] = file.live }
      return files
    }
  }

  /// Damages one byte of a file, durably.
  ///
  /// - Precondition: There is such a file, and the offset lies in it.
  public func corrupt(_ path: FilePath, at offset: Int, xor mask: UInt8) {
    core.withLock { core in
      guard let node = core.state.node(at: path), core.state.files[node] != nil else {
        preconditionFailure("no file at \(path)")
      }
      core.state.corrupt(node, at: offset, xor: mask)
    }
  }

  /// The files with their sizes and first bytes, and what is pending, a line each.
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

  /// Notes what the scenario knows by now, so that a check can ask what was known at a cut.
  public func mark(_ text: String) {
    core.withLock { core in
      core.marks.append(text)
      guard var moment = core.moments?.last else { return }
      moment.marks = core.marks
      if core.state.model == .processDeath {
        // The last write was seen to end.
        core.state.lastWrite = nil
        moment.state.lastWrite = nil
      } else {
        core.moments?.removeLast()
      }
      core.moments?.append(moment)
    }
  }

  /// The disk as it is once all processes have died: no bytes lost, what was pending still so.
  public func restarted() -> SimulatedDisk {
    SimulatedDisk(core.withLock { $0.state })
  }

  /// The disks that could be found if the power failed now, each once.
  ///
  /// - Parameters:
  ///   - samples: How many combinations are drawn at random where there are too many to try all.
  ///   - seed: Makes the drawn ones the same every time.
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
  public var calls: [DiskCall] { core.withLock { $0.calls } }

  /// Makes one call fail.
  ///
  /// - Parameter number: The call's number among all calls to the disk, from 1.
  public func fail(call number: Int, with failure: CallFailure) {
    core.withLock { $0.failures[number] = failure }
  }

  /// Makes every call of one kind fail from now on.
  public func failAlways(_ operation: FileError.Operation, with failure: CallFailure = .ioError) {
    core.withLock { $0.lasting[operation] = failure }
  }

  /// Lets all calls succeed again.
  public func stopFailing() {
    core.withLock { core in
      core.failures = [:]
      core.lasting = [:]
    }
  }

  // MARK: Watchers

  /// Tells those that watch a directory in which something changed since they were told last.
  ///
  /// It is the test that decides when: a program cannot be told by a call that it makes itself.
  public func tellWatchers() {
    for watch in core.withLock({ $0.watches.compactMap(\.value) }) {
      if watch.hasNews.exchange(false, ordering: .relaxed) { watch.handler() }
    }
  }
}

extension DiskState {
  /// Visits all files that have names, sorted by path.
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
