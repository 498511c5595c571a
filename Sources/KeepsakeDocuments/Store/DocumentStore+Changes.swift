import Dispatch
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentStore {
  /// The changes of the documents from now on: this store's, other processes', editors'.
  ///
  /// If the directory cannot be watched, that is reported as a problem, and only this store's own
  /// changes are in the sequence. Several changes of one document are merged until the loop receives
  /// them. The sequence is for one loop, which ends once its task is canceled.
  ///
  /// - Complexity: O(*n*) in the number of documents, whose files are examined but not read.
  public var changes: some AsyncSequence<DocumentChange<ID>, Never> & Sendable {
    do throws(DocumentError) { try startWatching() } catch { directory.report(error) }
    do throws(DocumentError) {
      // Earlier changes may not have been noticed yet, and are not changes for the new loop.
      try scan()
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
    // First, so that another directory that takes the path meanwhile is noticed.
    let identity = try directory.information(at: directory.path)?.identity
    let watch = try watch()
    let needsStamps = watching.withLock { watching in
      if watching.watch != nil { return false }
      watching.watch = watch
      watching.directory = identity
      watching.stamps = [:]
      defer { watching.hasAllStamps = false }
      return watching.hasAllStamps
    }
    // Only for a loop over the changes that began before `close()`: open documents need no stamps.
    if !needsStamps { return }
    do throws(DocumentError) {
      try scan()
    } catch {
      stopWatching()
      watching.withLock { $0.hasAllStamps = true }
      throw error
    }
  }

  private func watch() throws(DocumentError) -> any FileWatch {
    do throws(FileError) {
      return try directory.fileSystem.watch(directory: directory.path) { [weak self] changes in
        switch changes {
        case .names(let names): self?.scheduleExamination(of: names)
        case .unknown: self?.scheduleScan()
        }
      }
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  /// The identity of the directory that has the path now; `nil` if there is none, which is reported
  /// once.
  private func currentDirectory() throws(DocumentError) -> FileInformation.Identity? {
    let identity = try directory.information(at: directory.path)?.identity
    let wasGone = watching.withLock { watching in
      defer { watching.isDirectoryGone = identity == nil }
      return watching.isDirectoryGone
    }
    // Documents that cannot be reached are not removed: no change is reported.
    if identity == nil && !wasGone {
      directory.report(DocumentError(unavailable: directory.missing))
    }
    return identity
  }

  /// Watches the directory that has the path now.
  ///
  /// A directory with the same identity is watched again, too: a new directory can have the number of
  /// a removed one.
  private func watchAgain(_ identity: FileInformation.Identity) throws(DocumentError) {
    let watch = try watch()
    let old = watching.withLock { watching -> (any FileWatch)? in
      // Watching may have stopped.
      if watching.watch == nil { return watch }
      defer { (watching.watch, watching.directory) = (watch, identity) }
      return watching.watch
    }
    // Released outside the lock.
    withExtendedLifetime(old) {}
  }

  func stopWatching() {
    let watch = watching.withLock { watching in
      defer { watching.watch = nil }
      return watching.watch
    }
    // Released outside the lock.
    withExtendedLifetime(watch) {}
  }

  /// The stamps of those files that are there, and whose names are documents'.
  ///
  /// A name that is none may be equal to one that Unicode writes differently.
  func stamps(
    of names: some Sequence<String>
  ) throws(DocumentError) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    for name in names where id(of: name) != nil {
      guard let found = try directory.information(at: directory.file(name)), found.kind == .file
      else {
        continue
      }
      stamps[name] = FileStamp(found)
    }
    return stamps
  }

  // MARK: External changes

  /// Examines the documents among some files soon, and whether the directory still has its path.
  private func scheduleExamination(of files: Set<FilePath.Component>) {
    let names = files.map(\.string).filter(isDocument)
    let isFirst = watching.withLock { watching in
      watching.pending.formUnion(names)
      defer { watching.isExaminationDue = true }
      return !watching.isExaminationDue
    }
    if isFirst { queue.async { [weak self] in self?.examinePending() } }
  }

  /// Whether a name in the directory is a document's.
  private func isDocument(_ name: String) -> Bool {
    name.utf8.first != UInt8(ascii: ".")
      && name.utf8.suffix(directory.pathExtension.utf8.count + 1)
        .elementsEqual(".\(directory.pathExtension)".utf8)
      && id(of: name) != nil
  }

  private func examinePending() {
    let names = watching.withLock { watching in
      defer { (watching.pending, watching.isExaminationDue) = ([], false) }
      return watching.pending
    }
    do throws(DocumentError) {
      guard try isDirectoryWatched() else { return }
      if !names.isEmpty { try examine(names) }
    } catch {
      scanAgain(after: error)
    }
    watching.withLock { $0.examinations += 1 }
    scheduleCheck()
  }

  /// Checks a second after the last examination whether the directory still has its path: it may have been
  /// removed after its last file, which the kernel does not report while a file of it is open.
  private func scheduleCheck() {
    let examinations = watching.withLock { watching -> Int? in
      if watching.isCheckDue { return nil }
      watching.isCheckDue = true
      return watching.examinations
    }
    guard let examinations else { return }
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
      guard let self else { return }
      let isLast = watching.withLock { watching in
        watching.isCheckDue = false
        return watching.examinations == examinations
      }
      if !isLast { return scheduleCheck() }
      do throws(DocumentError) {
        _ = try isDirectoryWatched()
      } catch {
        scanAgain(after: error)
      }
    }
  }

  /// Whether the watched directory still has its path; if not, schedules a scan.
  ///
  /// Notifications can be those of a directory that was moved with its parent.
  private func isDirectoryWatched() throws(DocumentError) -> Bool {
    if watching.withLock({ $0.watch == nil }) { return false }
    if let current = try currentDirectory(), current == watching.withLock({ $0.directory }) {
      return true
    }
    scheduleScan()
    return false
  }

  /// Scans the whole directory soon; a large one not so often that it would take more than a tenth of
  /// the time.
  private func scheduleScan(after pause: UInt64 = 0) {
    let cost = watching.withLock { watching -> UInt64? in
      if watching.isScanDue || watching.watch == nil { return nil }
      watching.isScanDue = true
      return watching.cost
    }
    guard let cost else { return }
    let delay = max(pause, cost < 1_000_000 ? 0 : 10 * cost)
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [weak self] in
      self?.scanAfterNotification()
    }
  }

  private func scanAfterNotification() {
    watching.withLock { $0.isScanDue = false }
    let start = DispatchTime.now().uptimeNanoseconds
    do throws(DocumentError) {
      // Its return is not reported.
      guard let identity = try currentDirectory() else {
        return scheduleScan(after: 1_000_000_000)
      }
      try watchAgain(identity)
      if watching.withLock({ $0.hasAllStamps }) {
        try scan()
      } else {
        watching.withLock { $0.stamps = [:] }
        followAll()
      }
      watching.withLock { $0.hasFailed = false }
    } catch {
      scanAgain(after: error)
    }
    watching.withLock { $0.cost = DispatchTime.now().uptimeNanoseconds - start }
  }

  /// Scans the directory later, because no notification repeats what an error hid; the error is
  /// reported once until a scan succeeds.
  private func scanAgain(after error: DocumentError) {
    let wasReported = watching.withLock { watching in
      defer { watching.hasFailed = true }
      return watching.hasFailed
    }
    if !wasReported { directory.report(error) }
    scheduleScan(after: 1_000_000_000)
  }

  /// Examines the files of some documents that this store changed itself.
  func noteChange(of ids: [ID]) {
    if ids.isEmpty || watching.withLock({ $0.watch == nil && $0.boxes.isEmpty }) { return }
    queue.async { [self] in
      do throws(DocumentError) {
        try examine(Set(ids.map { directory.name(of: $0) }))
        _ = try isDirectoryWatched()
      } catch {
        directory.report(error)
      }
    }
  }

  // MARK: Examining files

  /// Examines some documents' files and reports what changed.
  private func examine(_ names: Set<String>) throws(DocumentError) {
    let (changes, missing) = try looking.withLock { _ throws(DocumentError) in
      let isOpenOnly = watching.withLock { !$0.hasAllStamps }
      let found = try stamps(
        of: isOpenOnly ? names.filter { coordinator.document(named: $0) != nil } : names)
      return (update(names, to: found), names.filter { found[$0] == nil })
    }
    report(changes)
    // A file that was removed before it had a stamp did not change, but its document may be open.
    let reported = Set(changes.map { directory.name(of: $0.id) })
    for name in missing where !reported.contains(name) { coordinator.follow(name, in: self) }
  }

  /// Examines all files and reports what changed; the first time, only to open documents.
  private func scan() throws(DocumentError) {
    let changes = try looking.withLock { _ throws(DocumentError) -> [DocumentChange<ID>]? in
      let found = try stamps(of: directory.names())
      let known = watching.withLock { watching -> Set<String>? in
        if watching.hasAllStamps { return Set(watching.stamps.keys) }
        watching.stamps = found
        watching.hasAllStamps = true
        return nil
      }
      return known.map { update($0.union(found.keys), to: found) }
    }
    if let changes { report(changes) } else { followAll() }
  }

  /// Replaces the stamps of some files, and returns what changed.
  private func update(
    _ names: Set<String>, to found: [String: FileStamp]
  ) -> [DocumentChange<ID>] {
    watching.withLock { watching in
      var changes: [DocumentChange<ID>] = []
      for name in names where watching.stamps[name] != found[name] {
        let old = watching.stamps[name]
        watching.stamps[name] = found[name]
        guard let id = id(of: name) else { continue }
        changes.append(
          found[name] == nil ? .removed(id) : old == nil ? .created(id) : .changed(id))
      }
      return changes.sorted { $0.id.documentName < $1.id.documentName }
    }
  }

  private func id(of name: String) -> ID? { directory.id(of: name, as: ID.self) }

  /// Reports changes to open documents and to the loops; the caller holds no lock.
  private func report(_ changes: [DocumentChange<ID>]) {
    if changes.isEmpty { return }
    for change in changes { follow(change.id) }
    for box in watching.withLock({ $0.boxes.compactMap(\.value) }) { box.put(changes) }
  }

  /// Lets all open documents take over changes of their files.
  private func followAll() {
    for name in coordinator.openNames { coordinator.follow(name, in: self) }
  }
}
