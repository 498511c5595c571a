import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension DocumentDirectory {
  /// From how many files on one flush of the whole file system is made in place of one for each.
  ///
  /// It costs as much as two or three of the others, but waits for the bytes of all other programs.
  static let sharedFlushThreshold = 4

  /// Replaces the files of different documents, each whole or not at all, safe against a power cut on
  /// return.
  ///
  /// First everything new is written to temporary files and flushed, assets first; then each is renamed.
  /// No other process waits for the lock during the flushes.
  ///
  /// - Parameter condition: What else must be so, while nobody else writes documents.
  /// - Returns: What shows whether each file was changed since; `nil`, with nothing done, if a file is no
  ///   longer as it was found, or the condition is not met.
  func write(
    _ writings: [DocumentWriting], if condition: () -> Bool = { true }
  ) throws(DocumentError) -> [FileStamp]? {
    let (named, assets) = try assetsAdded(by: writings)
    let targets = writings.map { file($0.name) }
    let temporaries = writings.map { _ in temporaryPath }
    var stamps: [FileStamp] = []
    var renamed = 0
    defer {
      for path in temporaries[renamed...] { try? fileSystem.remove(path) }
    }
    do throws(FileError) {
      // One flush of all reports the errors since its file was opened, so that the first is enough, and
      // the limit of open files does not limit the number of documents.
      let isShared = isSharingFlush(files: writings.count, assets: assets.count)
      let first = try writeTemporary(writings[0], temporaries[0])
      let others = try concurrentMap(writings.count - 1) { index throws(FileError) in
        let (file, stamp) = try writeTemporary(writings[index + 1], temporaries[index + 1])
        return (isShared ? nil : file, stamp)
      }
      let files = [first.file] + others.compactMap(\.0)
      stamps = [first.stamp] + others.map(\.1)
      removeLeftovers(before: first.file)
      try flush(files, assets: assets, isShared: isShared)
    } catch {
      throw DocumentError(notWritten: error)
    }

    let refusals = refusals.load(ordering: .acquiring)
    let isDone = try withLock { () throws(DocumentError) -> Bool in
      // Programs without the lock may write at any moment: what a file has is compared last.
      if !condition() { return false }
      let areAsFound = try concurrentMap(writings.count) { index throws(DocumentError) in
        try content(at: targets[index]) == writings[index].found
      }
      if areAsFound.contains(false) { return false }
      for asset in named {
        // Another process may have collected it.
        if try information(at: file(asset.name)) == nil { return false }
      }
      let versions = concurrentMap(writings.count) { index in
        keepVersion(of: writings[index], at: targets[index])
      }
      for (index, writing) in writings.enumerated() {
        if var damage = writing.damage {
          damage.kept = "it was moved to \(try quarantine(writing.name, because: damage))"
          report(damage)
        }
        do throws(FileError) {
          try fileSystem.rename(temporaries[index], to: targets[index])
        } catch {
          var error = DocumentError(notWritten: error)
          if renamed > 0 { error.kept = "\(renamed) of \(writings.count) documents were written" }
          throw error
        }
        renamed += 1
        remember(writing, versions[index])
      }
      return true
    }
    guard isDone else { return nil }
    var failure: FileError?
    do throws(FileError) {
      try synchronizeNames(changedAfter: refusals)
    } catch {
      failure = error
    }
    known.withLock { [failure] known in
      for writing in writings {
        known.update(writing.name, ContentDigest(of: writing.text)) {
          $0.durability = failure == nil ? .durable : .refused
        }
      }
    }
    if let failure { throw DocumentError(notDurable: failure) }
    return stamps
  }

  private func writeTemporary(
    _ writing: DocumentWriting, _ path: FilePath
  ) throws(FileError) -> (file: any OpenFile, stamp: FileStamp) {
    let permissions = try permissions(of: file(writing.name), ifThere: writing.found != nil)
    let file = try fileSystem.open(path, .createNew(permissions: permissions))
    try file.writeAll(writing.text)
    return (file, FileStamp(try file.information()))
  }

  /// Makes a document durable whose file already has the text.
  ///
  /// - Returns: Whether it is durable; otherwise it must be written again.
  func makeDurable(_ name: String, _ text: [UInt8]) throws(DocumentError) -> Bool {
    let refusals = refusals.load(ordering: .acquiring)
    // Another program may have written it since.
    let found = known.withLock { $0[name] }
    switch found?.digest == ContentDigest(of: text) ? found?.durability ?? .unknown : .unknown {
    case .durable: return true
    case .refused: return false
    case .unknown: if refusals > 0 { return false }
    }
    let writing = DocumentWriting(name: name, text: text, found: nil)
    let (_, assets) = try assetsAdded(by: [writing])
    do throws(FileError) {
      let file = try fileSystem.open(file(name), .read)
      let isShared = isSharingFlush(files: 1, assets: assets.count)
      try flush([file], assets: assets, isShared: isShared)
      try synchronizeNames(changedAfter: refusals)
    } catch {
      throw DocumentError(notDurable: error)
    }
    known.withLock { known in
      known.update(name, ContentDigest(of: text)) { $0.durability = .durable }
    }
    return true
  }

  /// Makes documents durable that any process or program wrote, and that some were removed.
  func makeDurable(_ names: [String]) throws(DocumentError) {
    let refusals = refusals.load(ordering: .acquiring)
    do throws(FileError) {
      if refusals == 0, names.count >= Self.sharedFlushThreshold { return try synchronizeAll() }
      try synchronizeNames(changedAfter: refusals)
    } catch {
      throw DocumentError(notDurable: error)
    }
    for name in names {
      while let text = try content(of: name), try !makeDurable(name, text) {
        // After a flush was refused, only what is written again is durable.
        if try write([DocumentWriting(name: name, text: text, found: text)]) != nil { break }
      }
    }
  }

  /// Remembers the contents of files that were read, unless others were written since.
  ///
  /// - Parameter count: How many contents had been written when they were read.
  func remember(
    _ contents: [(name: String, content: KnownContents.Content)], readAfter count: Int
  ) {
    known.withLock { known in
      for (name, content) in contents { known.read(content, from: name, after: count) }
    }
  }

  /// How many contents this store has written.
  var writeCount: Int { known.withLock { $0.writeCount } }

  private func remember(_ writing: DocumentWriting, _ versions: [String]?) {
    var content = KnownContents.Content(writing.text)
    content.versions = versions
    content.isWhollyKnown = writing.isWhollyKnown
    known.withLock { [content] known in known.wrote(content, to: writing.name) }
  }

  /// The permissions of a file, which it keeps; a new one is accessible only to its owner.
  private func permissions(
    of path: FilePath, ifThere isThere: Bool
  ) throws(FileError) -> FilePermissions {
    let found = isThere ? try fileSystem.information(at: path) : nil
    return found?.permissions ?? .ownerReadWrite
  }

  /// Makes the directory's names durable.
  ///
  /// - Parameter refusals: How many flushes had been refused before the names were changed. If
  ///   one more was, by another thread, it may have been about them, and this one proves nothing.
  func synchronizeNames(changedAfter refusals: Int) throws(FileError) {
    do throws(FileError) {
      try fileSystem.synchronizeDirectory(path)
    } catch {
      self.refusals.add(1, ordering: .releasing)
      throw error
    }
    if self.refusals.load(ordering: .acquiring) != refusals {
      throw FileError(.synchronize, path, .ioError)
    }
  }

  /// Makes everything durable that was written to the directory's file system.
  ///
  /// - Parameter file: A file of it, opened before what is to be made durable was written.
  func synchronizeAll(by file: (any OpenFile)? = nil) throws(FileError) {
    do throws(FileError) {
      if let file { try file.synchronizeAll() } else { try fileSystem.synchronizeAll(at: path) }
    } catch {
      refusals.add(1, ordering: .releasing)
      throw error
    }
  }

  /// Whether one flush of all replaces many.
  private func isSharingFlush(files: Int, assets: Int) -> Bool {
    files + (assets == 0 ? 0 : assets + 1) >= Self.sharedFlushThreshold
  }

  /// Makes new files durable, and the assets that they name with their names.
  ///
  /// - Parameter isShared: Whether to do so by one flush of all, by the first of the files.
  private func flush(
    _ files: [any OpenFile], assets: [Asset], isShared: Bool
  ) throws(FileError) {
    do throws(FileError) {
      let refusals = refusals.load(ordering: .acquiring)
      if isShared {
        try synchronizeAll(by: files[0])
      } else {
        for asset in assets { try fileSystem.open(file(asset.name), .read).synchronize() }
        for file in files { try file.synchronize() }
        // The asset's name must be durable before that of a document that names it.
        if !assets.isEmpty { try synchronizeNames(changedAfter: refusals) }
      }
    } catch {
      note(assets, .refused)
      throw error
    }
    note(assets, .durable)
  }
}
