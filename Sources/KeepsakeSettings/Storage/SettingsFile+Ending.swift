import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// How the use of the files ends, and the files themselves.
extension SettingsFile {
  /// Writes the property list and stops listening to others.
  func close() {
    writer.withLock { $0.isClosed = true }
    stopListening()
    var names: [SettingsName] = []
    do throws(SettingsError) {
      try checkpointOrThrow(timeout: .seconds(5), &names)
    } catch { report(error) }
    notify(names)
  }

  /// Removes the files permanently; what is set from now on lives as long as the object.
  ///
  /// Other processes that have them open go on in memory too, so that none brings them back.
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
        // A journal that cannot be read is removed all the same.
        do throws(FileError) { try catchUp(&writer, &names) } catch {}
        // Files of the same names are somebody else's by now.
        if writer.journal == nil { return }
        try appendEnd(.removed, &writer)
        abandonFiles(&writer)
        let journals = try journalNumbers().map { journalPath($0) }
        for file in [path] + journals + [lockPath]
        where try fileSystem.information(at: file) != nil {
          try fileSystem.remove(file)
        }
        try fileSystem.synchronizeDirectory(directory)
      }
    }
  }

  /// Goes on in memory, for the files were removed permanently.
  func abandonFiles(_ writer: inout Writer) {
    writer.access = .memory
    writer.journal = nil
    isRemoved.store(true, ordering: .releasing)
  }

  /// Stops listening once there is nothing to be heard any more.
  func stopListeningIfRemoved() {
    if isRemoved.load(ordering: .acquiring) { stopListening() }
  }

  /// Ends the watches; called with no lock held, for a handler that runs may be waiting for it.
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

  /// Waits briefly until no change is under way: one that waits for something may never end.
  ///
  /// - Returns: Whether none is.
  func becomesIdle() -> Bool {
    for _ in 0..<100 {
      if writer.withLockIfAvailable({ _ in true }) == true { return true }
      usleep(1000)
    }
    return false
  }
}
