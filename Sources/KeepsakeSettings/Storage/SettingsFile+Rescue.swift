import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// Recovery from open files that another program removed or replaced.
extension SettingsFile {
  /// Whether the open journal is no longer the file at its path.
  ///
  /// - Parameter names: Receives the keys that changed externally before.
  func isDetached(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) -> Bool {
    guard let file = writer.journal?.file else { return false }
    let own = try file.information().identity
    if try fileSystem.information(at: journalPath(writer.generation))?.identity == own {
      return false
    }
    // A checkpoint deletes journals that have ended.
    _ = try readJournal(&writer, &names)
    return writer.end == nil
  }

  /// Opens the files that are at the paths now, and adds this process's changes that are missing from
  /// them, unless these are derived; all records of the open journal must have been read.
  func rescue(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    if isDerived { return try adopt(openNewFiles(&writer), &writer, &names) }
    let isEnded = writer.end != nil
    // A journal that has ended is removed once the property list beside it has what it had.
    if isEnded, try writer.journal?.file.information().linkCount == 0 {
      try adopt(openNewFiles(&writer), &writer, &names)
      // Of a backup, the numbers that follow were used since.
      return try beginOrigin(&writer, &names)
    }
    // This process's changes are added before other processes open the new files.
    let known = contents.withLock { $0 }
    try addUnsaved(to: openNewFiles(&writer))
    if !isEnded {
      try appendEnd(.moved, &writer)
      _ = try readJournal(&writer, &names)
    }
    try moveToNewFiles(after: known, &writer, &names)
    // Who talks to an engine reads everything now, and not after the next change.
    try noteDoubt(&writer, &names)
  }

  /// Opens the files that are at the paths now, after a ``SettingsRecord/Kind/moved`` record ended the
  /// open journal.
  ///
  /// - Parameter known: What this process has added to them before.
  func moveToNewFiles(
    after known: SettingsContents? = nil, _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    let new = try openNewFiles(&writer)
    try addUnsaved(to: new, from: writer.endOffset, after: known)
    adopt(new, &writer, &names)
    try beginUnknownOrigin(&writer, &names)
  }

  private func adopt(_ new: SettingsFile, _ writer: inout Writer, _ names: inout [SettingsName]) {
    let before = contents.withLock { $0 }
    adoptFiles(of: new, &writer)
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

  /// Adds this process's changes that are missing from new files, except for keys that changed there.
  ///
  /// - Parameters:
  ///   - offset: Where those changes begin that no other process has added; nil if they are all, as far as is known.
  ///   - added: What was added before.
  private func addUnsaved(
    to new: SettingsFile, from offset: Int64? = nil, after added: SettingsContents? = nil
  ) throws(FileError) {
    let known = contents.withLock { $0 }
    var knownLog = known.log
    let isFirst = offset == nil
    var unsaved = offset.map { known.changes(from: $0) } ?? known.unsaved
    if !isFirst {
      knownLog?.forgetChanges { unsaved.index(forKey: $0) == nil }
    } else if let log = knownLog {
      // What other machines do not have counts, also if a property list has it. Later it may have been changed again.
      for name in log.changes.keys where unsaved.index(forKey: name) == nil {
        unsaved.updateValue(known[name], forKey: name)
      }
    }
    try new.writer.withLock { [knownLog] (writer) throws(FileError) in
      let opened = new.contents.withLock { $0 }
      // What they lack is added; otherwise they have what they had of other machines. What was edited counts.
      let areFilled = writer.stamp == nil || writer.doubt.isDamaged
      if areFilled {
        for (name, value) in known.mergedAtStart where opened[name] == nil {
          if unsaved.index(forKey: name) == nil { unsaved.updateValue(value, forKey: name) }
        }
      }
      /// Whether these were not shared with others yet, and those were: what is here is no change of what the others
      /// have.
      let isOffered = knownLog?.cluster == nil && opened.log?.cluster != nil
      var ignored: [SettingsName] = []
      while true {
        let found = new.contents.withLock { $0 }
        let changedThere = found.unsaved
        /// An offer replaces no change.
        func isReplacedOffer(_ name: SettingsName) -> Bool {
          guard let change = knownLog?.changes[name] else { return false }
          if isOffered { return found[name] != nil }
          return change.isOffer && found.log?.changes[name].map { !$0.isOffer } ?? false
        }
        /// Changes of one origin are numbered in their order; the others had what the files there have as none.
        func isNewer(_ name: SettingsName) -> Bool {
          guard let change = knownLog?.changes[name] else { return false }
          guard let other = found.log?.changes[name] else { return isFirst && !change.isOffer }
          if other.isOffer { return !change.isOffer }
          return change.origin == other.origin && change.number > other.number
        }
        /// What others have is no newer than what was changed there, and they do not have yet.
        func isOthers(_ name: SettingsName) -> Bool {
          guard let log = knownLog, log.changes[name] == nil else { return false }
          return found.log?.changes[name].map { !$0.isOffer } ?? false
        }
        /// What was added before was changed here since.
        func isAdded(_ name: SettingsName) -> Bool {
          added.map { $0[name].isIdentical(to: found[name]) } ?? false
        }
        func countsThere(_ name: SettingsName) -> Bool {
          changedThere.index(forKey: name) != nil && !isNewer(name) && !isAdded(name)
            || isOthers(name)
        }
        /// Such that the files there have the value of, and no change.
        let isUnknownChange = unsaved.contains { name, value in
          found[name] == value && knownLog?.changes[name] != nil && found.log?.changes[name] == nil
        }
        let missing: [Change] = unsaved.compactMap { name, value in
          found[name] == value || countsThere(name) || isReplacedOffer(name)
            ? nil : Change(name: name, value: value)
        }
        let replaced = unsaved.filter { isReplacedOffer($0.key) && found[$0.key] != $0.value }
        keep(replaced.compactMapValues(\.self))
        var update: SyncLog.Update?
        if var log = knownLog {
          if isOffered { log.offer(Set(missing.map(\.name))) }
          update = SyncLog.Update()
          // Older files have an older log; what came from other machines since comes again.
          // Files of a time before anything was shared have nothing of it.
          let old = found.log ?? (areFilled ? log : SyncLog(origin: SyncLog.newOrigin()))
          let kept = Set(changedThere.keys.filter(countsThere))
          update?.log = old.replacing(log, origin: SyncLog.newOrigin(), keeping: kept)
          // They come after those that they replace.
          update?.claims = kept.filter { name in
            let (change, other) = (log.changes[name], old.changes[name])
            return change != nil && other != nil && change != other
          }
        }
        // The numbers of older files were used since.
        if missing.isEmpty, update == nil || found.log != nil && !isFirst && !isUnknownChange {
          return
        }
        // Another process may add its own at the same time.
        if try new.setOnce(missing, received: update, &writer, &ignored) != nil { return }
      }
    }
  }

  private func keep(_ values: [SettingsName: PropertyList.Value]) {
    do throws(SettingsError) {
      let problem = try preserve(
        values, because: "a change in the files that have its name now replaces it")
      if let problem { report(problem) }
    } catch {
      report(error)
    }
  }
}
