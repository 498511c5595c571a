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

  /// Goes on with the files that have the names now, and adds what they lack of this process's
  /// changes; called when nothing is left to catch up.
  func rescue(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    let before = contents.withLock { $0 }
    let known = before.merged
    let new = SettingsFile(
      path: path, fileSystem: fileSystem, access: writer.access, isAutomatic: false, report: report)
    let isPropertyListThere = try fileSystem.information(at: path) != nil
    try new.load(.damaged)
    var unsaved = before.unsaved
    if !isPropertyListThere {
      for (key, value) in known { unsaved[SettingsName(key)] = value }
    }
    let found = new.all
    let missing: [Change] = unsaved.compactMap { name, value in
      found[name.string] == value ? nil : (name, value)
    }
    try add(missing, to: new)
    // The others that have the old journal open come after; what they appended until now comes, too.
    try appendEnd(.reload, &writer)
    var late: [SettingsName] = []
    _ = try readJournal(&writer, &late)
    let values = contents.withLock { $0 }
    try add(Set(late).map { ($0, values[$0]) }, to: new)
    take(new, &writer)
    watchJournal(&writer)
    let after = new.contents.withLock { $0 }
    names += known.namesThatDiffer(from: after.merged)
    contents.withLock { contents in
      contents = after
      contents.sequence = before.sequence + 1
    }
    writer.isPropertyListLost = true
    scheduleTick(&writer)
  }

  private func add(_ changes: [Change], to new: SettingsFile) throws(FileError) {
    if changes.isEmpty { return }
    try new.writer.withLock { (writer) throws(FileError) in
      var ignored: [SettingsName] = []
      _ = try new.set(changes, &writer, &ignored)
    }
  }
}
