import SystemPackage

extension DiskState {
  /// Makes a file's bytes or a directory's names durable, with all updates that must precede them.
  mutating func flush(_ node: Int) {
    var chosen = pending.map { $0.node == node }
    model.complete(&chosen, of: pending)
    apply(chosen, to: &files, &directories)
    removePending(chosen)
    dropUnreachable()
  }

  /// Makes all bytes and names durable.
  mutating func flush() {
    apply(pending.map { _ in true }, to: &files, &directories)
    pending = []
  }

  /// Discards all unflushed updates, which processes still see.
  mutating func forgetUnflushed() { pending = [] }

  /// Discards the unflushed updates of a file or directory, which processes still see: the kernel
  /// reports a failed flush once, and then treats the bytes as written.
  mutating func forgetUnflushed(_ node: Int) {
    var links: Set<Int> = []
    let lost = pending.map { update in
      if case .unlink(_, let link?) = update.change, links.contains(link) { return true }
      if update.node == node, case .link = update.change { links.insert(update.id) }
      return update.node == node
    }
    removePending(lost)
  }

  /// Visits the disks that can remain if all processes die now and, except for
  /// ``SimulatedDisk/Model/processDeath``, the power fails.
  ///
  /// Up to ten pending updates survive in every legal combination. With more, these are tried:
  /// every prefix, all but one, only one, and random combinations.
  func visitStates(
    samples: Int, seed: UInt64, _ visit: (DiskState) async throws -> Void
  ) async rethrows {
    if model == .processDeath {
      for state in statesAfterDeath() { try await visit(state) }
      return
    }
    for selection in Selections(count: pending.count, samples: samples, seed: seed) {
      var kept = selection
      model.complete(&kept, of: pending)
      var files = files
      var directories = directories
      apply(kept, to: &files, &directories)
      var hasHoles = false
      try await visit(stored(files, directories, over: nil, &hasHoles))
      if hasHoles { try await visit(stored(files, directories, over: garbage, &hasHoles)) }
    }
  }

  /// Returns the disk as processes see it, with everything durable.
  func flushed(as model: SimulatedDisk.Model) -> DiskState {
    var state = self
    for node in files.keys { state.files[node]!.stored = StoredFile(files[node]!.live) }
    for node in directories.keys { state.directories[node]!.stored = directories[node]!.live }
    state.pending = []
    state.lastWrite = nil
    state.model = model
    return state
  }

  /// A hash of all names and bytes that processes see; valid within one run of a program.
  var contentHash: Int {
    var hasher = Hasher()
    hash(Self.root, into: &hasher)
    return hasher.finalize()
  }
}

extension DiskState {
  private func apply(
    _ kept: [Bool], to files: inout [Int: File], _ directories: inout [Int: Directory]
  ) {
    for (index, update) in pending.enumerated() where kept[index] {
      switch update.change {
      case .sector(let sector, let bytes): files[update.node]!.stored.write(bytes, toSector: sector)
      case .size(let size): files[update.node]!.stored.resize(to: size)
      case .link(let name, let target, _): directories[update.node]!.stored[name] = target
      case .unlink(let name, _): directories[update.node]!.stored[name] = nil
      }
    }
  }

  private mutating func removePending(_ removed: [Bool]) {
    pending = zip(pending, removed).compactMap { $1 ? nil : $0 }
  }

  /// Drops the updates of files that are unreachable in every state that can survive.
  private mutating func dropUnreachable() {
    var named: Set<Int> = [Self.root]
    for directory in directories.values {
      named.formUnion(directory.live.values)
      named.formUnion(directory.stored.values)
    }
    for case .link(_, let target, _) in pending.lazy.map(\.change) { named.insert(target) }
    pending.removeAll { !named.contains($0.node) }
  }

  /// The disk that contains only the durable state of some files and directories.
  private func stored(
    _ files: [Int: File], _ directories: [Int: Directory], over garbage: Garbage?,
    _ hasHoles: inout Bool
  ) -> DiskState {
    var foundFiles: [Int: File] = [:]
    var foundDirectories: [Int: Directory] = [:]
    var rest = [Self.root]
    while let node = rest.popLast() {
      if var directory = directories[node] {
        directory.live = directory.stored
        foundDirectories[node] = directory
        rest.append(contentsOf: directory.stored.values)
      } else if foundFiles[node] != nil {
        foundFiles[node]!.linkCount += 1
      } else {
        var file = files[node]!
        file.live = file.stored.bytes(over: garbage)
        if file.stored.hasHoles {
          hasHoles = true
          file.stored = StoredFile(file.live)
        }
        file.linkCount = 1
        foundFiles[node] = file
      }
    }
    return DiskState(self, files: foundFiles, directories: foundDirectories)
  }

  /// The disk as processes see it, and variants in which the last write ended at a sector boundary.
  private func statesAfterDeath() -> [DiskState] {
    var states = [self]
    if let (node, range) = lastWrite, files[node]?.live.count == range.upperBound {
      let size = StoredFile.sectorSize
      for edge in stride(from: (range.lowerBound / size + 1) * size, to: range.upperBound, by: size)
      {
        var state = self
        state.truncate(node, to: edge)
        states.append(state)
      }
    }
    return states
  }

  private func hash(_ node: Int, into hasher: inout Hasher) {
    if let directory = directories[node] {
      for (name, target) in directory.live.sorted(by: { $0.key < $1.key }) {
        hasher.combine(name)
        hash(target, into: &hasher)
      }
      hasher.combine(directory.live.count)
    } else if let file = files[node] {
      hasher.combine(file.permissions.rawValue)
      hasher.combine(file.live.count)
      file.live.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}
