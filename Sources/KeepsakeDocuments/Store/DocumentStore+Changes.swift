import Dispatch
import KeepsakeBase
import KeepsakeFiles

extension DocumentStore {
  /// The changes of the documents from now on: this store's, other processes', editors'.
  ///
  /// Where the directory cannot be watched, that is reported as a problem, and only this store's own
  /// changes are told. Of several changes of one document that were not taken yet, one remains. The
  /// sequence is for one loop, which ends once its task is canceled.
  public var changes: some AsyncSequence<DocumentChange<ID>, Never> & Sendable {
    do throws(DocumentError) {
      try startWatching()
      // What was changed before is nothing new, though nobody has looked yet.
      tell(try look(at: nil))
    } catch {
      directory.report(error)
    }
    let box = DocumentChangeBox<ID>()
    watching.withLock { watching in
      watching.boxes.removeAll { $0.value == nil }
      watching.boxes.append(Watching<ID>.Weak(box))
    }
    return ChangeSequence { box }
  }

  // MARK: Watching

  /// Begins to watch the directory, unless that has begun.
  func startWatching() throws(DocumentError) {
    if watching.withLock({ $0.watch != nil }) { return }
    // Asked for first: where another directory comes in between, it is noticed.
    let identity = try directory.information(at: directory.path)?.identity
    let watch = try watch()
    let stamps = try stamps(of: directory.names())
    watching.withLock { watching in
      if watching.watch != nil { return }
      watching.watch = watch
      watching.directory = identity
      watching.stamps = stamps
    }
  }

  private func watch() throws(DocumentError) -> any FileWatch {
    do throws(FileError) {
      return try directory.fileSystem.watch(directory: directory.path) { [weak self] in
        self?.scheduleLook()
      }
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  /// Begins to watch anew where another directory has taken the path.
  ///
  /// - Returns: Whether there is a directory.
  private func watchDirectory() throws(DocumentError) -> Bool {
    let identity = try directory.information(at: directory.path)?.identity
    let (isOther, wasGone) = watching.withLock { watching in
      defer { watching.isDirectoryGone = identity == nil }
      return (watching.watch != nil && watching.directory != identity, watching.isDirectoryGone)
    }
    guard let identity else {
      // What cannot be reached is not removed: nothing is told of its documents.
      if !wasGone { directory.report(DocumentError(unavailable: directory.missing)) }
      return false
    }
    if !isOther { return true }
    let watch = try watch()
    let old = watching.withLock { watching -> (any FileWatch)? in
      // Nobody may want one any more.
      if watching.watch == nil { return watch }
      defer { (watching.watch, watching.directory) = (watch, identity) }
      return watching.watch
    }
    // Let go of outside the lock.
    withExtendedLifetime(old) {}
    return true
  }

  func stopWatching() {
    let watch = watching.withLock { watching in
      defer { watching.watch = nil }
      return watching.watch
    }
    // Let go of outside the lock.
    withExtendedLifetime(watch) {}
  }

  private func stamps(of names: [String]) throws(DocumentError) -> [String: Watching<ID>.Stamp] {
    var stamps: [String: Watching<ID>.Stamp] = [:]
    for name in names {
      guard let found = try directory.information(at: directory.file(name)), found.kind == .file
      else {
        continue
      }
      stamps[name] = Watching.Stamp(
        identity: found.identity, size: found.size, modified: found.modified)
    }
    return stamps
  }

  // MARK: Looking

  /// Looks at the whole directory soon; where it is large, not so often that it would take more than a
  /// tenth of the time.
  private func scheduleLook(after pause: UInt64 = 0) {
    let cost = watching.withLock { watching -> UInt64? in
      if watching.isLookDue || watching.watch == nil { return nil }
      watching.isLookDue = true
      return watching.cost
    }
    guard let cost else { return }
    let delay = max(pause, cost < 1_000_000 ? 0 : 10 * cost)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
      self?.lookAtAll()
    }
  }

  private func lookAtAll() {
    watching.withLock { $0.isLookDue = false }
    let start = DispatchTime.now().uptimeNanoseconds
    do throws(DocumentError) {
      // It may come back, which nothing tells of.
      guard try watchDirectory() else { return scheduleLook(after: 1_000_000_000) }
      tell(try look(at: nil))
    } catch {
      directory.report(error)
    }
    watching.withLock { $0.cost = DispatchTime.now().uptimeNanoseconds - start }
  }

  /// Looks at the files of some documents that this store changed itself.
  func noteChange(of ids: [ID]) {
    if ids.isEmpty || watching.withLock({ $0.watch == nil }) { return }
    queue.async { [self] in
      let names = ids.map { directory.name(of: $0) }
      do throws(DocumentError) {
        let changes = try look(at: names)
        tell(changes)
        // One that somebody removed before anyone had looked is no change, but may be open.
        for id in Set(ids).subtracting(changes.map(\.id)) { follow(id) }
      } catch {
        directory.report(error)
      }
    }
  }

  /// Looks what some files are now, or all.
  private func look(at names: [String]?) throws(DocumentError) -> [DocumentChange<ID>] {
    try looking.withLock { _ throws(DocumentError) in
      let found = if let names { try stamps(of: names) } else { try stamps(of: directory.names()) }
      let known = watching.withLock { Array($0.stamps.keys) }
      return take(found, of: names.map { Set($0) } ?? Set(known).union(found.keys))
    }
  }

  /// Takes note of what some files are now.
  private func take(
    _ found: [String: Watching<ID>.Stamp], of names: Set<String>
  ) -> [DocumentChange<ID>] {
    watching.withLock { watching in
      var changes: [DocumentChange<ID>] = []
      for name in names where watching.stamps[name] != found[name] {
        let old = watching.stamps[name]
        watching.stamps[name] = found[name]
        guard let id = directory.id(of: name, as: ID.self) else { continue }
        changes.append(
          found[name] == nil ? .removed(id) : old == nil ? .created(id) : .changed(id))
      }
      return changes.sorted { $0.id.documentName < $1.id.documentName }
    }
  }

  /// Tells of changes; called with no lock held.
  private func tell(_ changes: [DocumentChange<ID>]) {
    if changes.isEmpty { return }
    for change in changes { follow(change.id) }
    for box in watching.withLock({ $0.boxes.compactMap(\.value) }) { box.put(changes) }
  }
}
