import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// How the use of the files ends, and the files themselves.
extension SettingsFile {
  /// Writes the property list and stops listening to others.
  func close() {
    writer.withLock { $0.isClosed = true }
    stopListening()
    do throws(SettingsError) { try checkpoint() } catch { report(error) }
  }

  /// Removes the files, for good; what is set from now on lives as long as the object.
  ///
  /// Whoever else has them open goes on in memory too, so that nobody brings them back.
  func remove() throws(FileError) {
    do throws(SettingsError) {
      try checkNotInTransaction()
    } catch {
      throw FileError(.remove, path, .resourceBusy, effect: error.message)
    }
    defer { stopListeningIfRemoved() }
    try writer.withLock { (writer) throws(FileError) in
      guard case .readWrite(let coordinator) = writer.access else { return }
      try coordinator.lock()
      defer { coordinator.unlock() }
      let isRemovedAlready = coordinator.position == .removed
      abandonFiles(&writer)
      // Those of the same names are somebody else's by now.
      if isRemovedAlready { return }
      coordinator.publish(.removed)
      for file in [path, journalPath, lockPath] where try fileSystem.information(at: file) != nil {
        try fileSystem.remove(file)
      }
      try fileSystem.synchronizeFolder(folder)
    }
  }

  /// Goes on in memory, for the files were removed for good.
  func abandonFiles(_ writer: inout Writer) {
    writer.abandoned = writer.coordinator
    writer.access = .memory
    writer.journal = nil
    isRemoved.store(true, ordering: .releasing)
  }

  /// Lets go of what listens, once there is nothing to be heard any more.
  func stopListeningIfRemoved() {
    if writer.withLock({ $0.abandoned != nil }) { stopListening() }
  }

  /// Lets go of what listens for others; called with no lock held, for whoever is just being told
  /// may be waiting for it.
  private func stopListening() {
    let (watch, coordinator) = writer.withLock { writer in
      defer {
        writer.watch = nil
        writer.abandoned = nil
      }
      return (writer.watch, writer.coordinator ?? writer.abandoned)
    }
    withExtendedLifetime(watch) { try? coordinator?.onDoorbell(nil) }
    SettingsFiles.forget(self)
  }

  /// Whether no change is under way, or soon none is: one that waits for something may never end.
  func comesToRest() -> Bool {
    for _ in 0..<100 {
      if writer.withLockIfAvailable({ _ in true }) == true { return true }
      usleep(1000)
    }
    return false
  }
}
