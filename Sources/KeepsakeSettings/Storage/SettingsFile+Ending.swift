import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// Closing and removing the files.
extension SettingsFile {
  /// Writes the property list, and stops watching the files.
  func close() {
    writer.withLock { $0.isClosed = true }
    stopListening()
    var names: [SettingsName] = []
    do throws(SettingsError) {
      try checkpointOrThrow(timeout: .seconds(5), &names)
    } catch { report(error) }
    notify(names)
  }

  /// Removes the files permanently; later changes exist as long as the object.
  ///
  /// Other processes that have the files open continue in memory too, so that none creates them again.
  func remove() throws(FileError) {
    do throws(SettingsError) {
      try checkNotInTransaction()
    } catch {
      throw FileError(.remove, path, .resourceBusy, effect: error.message)
    }
    defer { stopListeningIfRemoved() }
    try checkpointing.withLock { (_) throws(FileError) in
      try writer.withLock { (writer) throws(FileError) in
        guard let lock = writer.lock else { return }
        try lock.acquire(LockPart.checkpoint, timeout: .seconds(5))
        defer { lock.release(LockPart.checkpoint) }
        var names: [SettingsName] = []
        // A journal that cannot be read is removed, too.
        do throws(FileError) { try catchUp(&writer, &names) } catch {}
        // Another process already removed the files; files at these paths may belong to a new store.
        if writer.journal == nil { return }
        try appendEnd(.removed, &writer)
        abandonFiles(&writer)
        try removeContents()
        if try fileSystem.information(at: lockPath) != nil { try fileSystem.remove(lockPath) }
        try fileSystem.synchronizeDirectory(directory)
      }
    }
  }

  /// Removes the property list and the journals; called with the checkpoint lock held.
  ///
  /// The last journal, which says that they are removed, goes last: if this process is killed, the next one that opens
  /// the files removes the rest.
  func removeContents(exceptPropertyList: Bool = false) throws(FileError) {
    let journals = try journalNumbers().map { journalPath($0) }
    for file in (exceptPropertyList ? [] : [path]) + journals
    where try fileSystem.information(at: file) != nil {
      try fileSystem.remove(file)
    }
    try fileSystem.synchronizeDirectory(directory)
  }

  /// Continues in memory, because the files were removed permanently.
  func abandonFiles(_ writer: inout Writer) {
    writer.access = .memory
    writer.journal = nil
    isRemoved.store(true, ordering: .releasing)
  }

  /// Stops watching the files if they were removed permanently.
  func stopListeningIfRemoved() {
    if isRemoved.load(ordering: .acquiring) { stopListening() }
  }

  /// Ends the watches; the caller must not hold a lock, because a running handler may wait for it.
  func stopListening() {
    let watches = writer.withLock { writer in
      defer {
        writer.directoryWatch = nil
        writer.propertyListWatch = nil
        writer.journalWatch = nil
      }
      return [writer.directoryWatch, writer.propertyListWatch, writer.journalWatch]
    }
    withExtendedLifetime(watches) {}
    SettingsFiles.forget(self)
  }

  /// Waits until no change is in progress, but only briefly, because one may never end.
  ///
  /// - Returns: Whether no change is in progress.
  func waitUntilIdle() -> Bool {
    for _ in 0..<100 {
      if writer.withLockIfAvailable({ _ in true }) == true { return true }
      usleep(1000)
    }
    return false
  }
}
