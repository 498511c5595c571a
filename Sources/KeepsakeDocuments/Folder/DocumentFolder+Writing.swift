import KeepsakeFiles
import Synchronization
import SystemPackage

extension DocumentFolder {
  /// From how many files on one flush of the whole file system is made in place of one for each.
  ///
  /// It costs as much as two or three of the others where nobody else writes, but waits for the
  /// bytes of all programs that do.
  static let sharedFlushThreshold = 4

  /// Replaces the files of some documents, each whole or not at all, safe against a power cut on
  /// return.
  ///
  /// First all that is new lies in files of its own, assets before all, and is made durable; then
  /// each document's takes its name. Nobody waits for the lock while the disk is at work.
  ///
  /// - Returns: Whether that was done; `false`, with nothing done, where a file is not any more as
  ///   it was found.
  func write(_ writings: [DocumentWriting]) throws(DocumentError) -> Bool {
    removeLeftovers()
    let (named, assets) = try assetsAdded(by: writings)
    let targets = writings.map { file($0.name) }
    var temporaries: [FilePath] = []
    var renamed = 0
    defer {
      for path in temporaries[renamed...] { try? fileSystem.remove(path) }
    }
    do throws(FileError) {
      var files: [any OpenFile] = []
      for (writing, target) in zip(writings, targets) {
        let path = temporaryPath
        let permissions = try permissions(of: target, ifThere: writing.found != nil)
        let file = try fileSystem.open(path, .createNew(permissions: permissions))
        temporaries.append(path)
        try file.writeAll(writing.text)
        files.append(file)
      }
      try flush(files, assets: assets)
    } catch {
      throw DocumentError(notWritten: error)
    }

    let refusals = refusals.load(ordering: .acquiring)
    let isDone = try withLock { () throws(DocumentError) -> Bool in
      for (writing, target) in zip(writings, targets) {
        if try content(at: target) != writing.found { return false }
      }
      for asset in named {
        // Somebody may have removed the only other document that named it.
        if try information(at: file(asset.name)) == nil { return false }
      }
      for (index, writing) in writings.enumerated() {
        keepVersion(of: writing, at: targets[index])
        do throws(FileError) {
          try fileSystem.rename(temporaries[index], to: targets[index])
        } catch {
          var error = DocumentError(notWritten: error)
          if renamed > 0 { error.kept = "\(renamed) of \(writings.count) documents were written" }
          throw error
        }
        renamed += 1
        remember(writing)
      }
      return true
    }
    guard isDone else { return false }
    var failure: FileError?
    do throws(FileError) {
      try synchronizeNames(changedAfter: refusals)
    } catch {
      failure = error
    }
    known.withLock { [failure] known in
      for writing in writings {
        known.update(writing.name, ContentDigest(of: writing.text)) {
          $0.durability = failure == nil ? .sure : .refused
        }
      }
    }
    if let failure { throw DocumentError(notDurable: failure) }
    return true
  }

  /// Sees that a document whose file needs no writing is as safe as if it had been written.
  ///
  /// - Returns: Whether it is; otherwise it has to be written after all.
  func makeDurable(_ name: String, _ text: [UInt8]) throws(DocumentError) -> Bool {
    let refusals = refusals.load(ordering: .acquiring)
    switch known.withLock({ $0[name]?.durability }) ?? .unknown {
    case .sure: return true
    case .refused: return false
    case .unknown: if refusals > 0 { return false }
    }
    let writing = DocumentWriting(name: name, text: text, found: nil)
    let (_, assets) = try assetsAdded(by: [writing])
    do throws(FileError) {
      let file = try fileSystem.open(file(name), .read)
      try flush([file], assets: assets)
      try synchronizeNames(changedAfter: refusals)
    } catch {
      throw DocumentError(notDurable: error)
    }
    known.withLock { known in
      known.update(name, ContentDigest(of: text)) { $0.durability = .sure }
    }
    return true
  }

  /// Takes the contents of files for the ones that were loaded, unless others were written since.
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

  private func remember(_ writing: DocumentWriting) {
    var content = KnownContents.Content(writing.text)
    content.isWhollyKnown = writing.isWhollyKnown
    known.withLock { [content] known in known.wrote(content, to: writing.name) }
  }

  /// The permissions that a file has and keeps; a new one is its owner's alone.
  private func permissions(
    of path: FilePath, ifThere isThere: Bool
  ) throws(FileError) -> FilePermissions {
    let found = isThere ? try fileSystem.information(at: path) : nil
    return found?.permissions ?? .ownerReadWrite
  }

  /// Makes the folder's names durable.
  ///
  /// - Parameter refusals: How many flushes had been refused before the names were changed. Where one
  ///   more was, by another thread, it may have been about them, and this one proves nothing.
  func synchronizeNames(changedAfter refusals: Int) throws(FileError) {
    do throws(FileError) {
      try fileSystem.synchronizeFolder(path)
    } catch {
      self.refusals.add(1, ordering: .releasing)
      throw error
    }
    if self.refusals.load(ordering: .acquiring) != refusals {
      throw FileError(.synchronize, path, .ioError)
    }
  }

  /// Makes all durable that was written to the folder's file system.
  func synchronizeAll() throws(FileError) {
    do throws(FileError) {
      try fileSystem.synchronizeAll(at: path)
    } catch {
      refusals.add(1, ordering: .releasing)
      throw error
    }
  }

  /// Makes new files durable, and the assets that they name with their names.
  private func flush(_ files: [any OpenFile], assets: [Asset]) throws(FileError) {
    do throws(FileError) {
      let refusals = refusals.load(ordering: .acquiring)
      let count = files.count + (assets.isEmpty ? 0 : assets.count + 1)
      if count >= Self.sharedFlushThreshold {
        try synchronizeAll()
      } else {
        for asset in assets { try fileSystem.open(file(asset.name), .read).synchronize() }
        for file in files { try file.synchronize() }
        // An asset's name must not be lost where that of the document which names it is not.
        if !assets.isEmpty { try synchronizeNames(changedAfter: refusals) }
      }
    } catch {
      note(assets, .refused)
      throw error
    }
    note(assets, .sure)
  }
}
