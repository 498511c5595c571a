import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// What a process does when another program removed or replaced the files that it has open.
extension SettingsFile {
  /// Whether the journal that is open is no longer the one of its name.
  ///
  /// - Parameter names: Receives the keys that others changed before.
  func isDetached(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) -> Bool {
    guard let file = writer.journal?.file else { return false }
    let own = try file.information().identity
    if try fileSystem.information(at: journalPath(writer.generation))?.identity == own {
      return false
    }
    // A checkpoint deletes journals that ended.
    _ = try readJournal(&writer, &names)
    return writer.end == nil
  }

  /// Goes on with the files that have the names now, and adds what they lack of what this process
  /// knows; called when nothing is left to catch up.
  func rescue(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    // What this process knows is added before the others come.
    try addUnsaved(to: openNewFiles(&writer))
    try appendEnd(.moved, &writer)
    _ = try readJournal(&writer, &names)
    try moveToNewFiles(&writer, &names)
  }

  /// Goes on with the files that have the names now, once the journal that is open has ended for that
  /// reason.
  func moveToNewFiles(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    let new = try openNewFiles(&writer)
    try addUnsaved(to: new)
    let before = contents.withLock { $0 }
    take(new, &writer)
    var after = new.contents.withLock { $0 }
    names += before.merged.namesThatDiffer(from: after.merged)
    after.replace(before)
    contents.withLock { [after] in $0 = after }
    writer.isPropertyListLost = true
    watchJournal(&writer)
    if isAutomatic { do throws(FileError) { try watchDirectory(&writer) } catch {} }
    scheduleTick(&writer)
  }

  private func openNewFiles(_ writer: inout Writer) throws(FileError) -> SettingsFile {
    let new = SettingsFile(
      path: path, fileSystem: fileSystem, access: writer.access, isAutomatic: false, report: report)
    new.holdsCheckpointLock.store(
      holdsCheckpointLock.load(ordering: .relaxed), ordering: .relaxed)
    try new.load(.damaged)
    return new
  }

  /// Adds what files lack of what this process knows, but for keys that were changed there since.
  private func addUnsaved(to new: SettingsFile) throws(FileError) {
    let known = contents.withLock { $0 }
    var unsaved = known.unsaved
    try new.writer.withLock { (writer) throws(FileError) in
      if writer.stamp == nil || writer.isPropertyListLost {
        for (key, value) in known.mergedAtStart where unsaved[SettingsName(key)] == nil {
          unsaved[SettingsName(key)] = value
        }
      }
      let found = new.contents.withLock { $0 }
      let changedThere = found.unsaved
      let missing: [Change] = unsaved.compactMap { name, value in
        found[name] == value || changedThere[name] != nil ? nil : (name, value)
      }
      if missing.isEmpty { return }
      var ignored: [SettingsName] = []
      _ = try new.set(missing, &writer, &ignored)
    }
  }
}
