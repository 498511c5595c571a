import KeepsakeBase
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage

/// Changes something when the first new file is made or a document is removed first, and when one is read; and refuses to
/// replace a file, or those of a directory.
final class EditingDisk: ForwardingFileSystem {
  let base: SimulatedDisk
  let edit = Mutex<(@Sendable () -> Void)?>(nil)
  let reading = Mutex<(@Sendable () -> Void)?>(nil)

  let refused = Mutex<FilePath?>(nil)

  init(base: SimulatedDisk) { self.base = base }

  private func editOnce(_ edit: borrowing Mutex<(@Sendable () -> Void)?>) {
    let edit = edit.withLock { edit in
      defer { edit = nil }
      return edit
    }
    edit?()
  }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    switch mode {
    case .createNew: editOnce(edit)
    case .read where path.extension == "card": editOnce(reading)
    default: break
    }
    return try base.open(path, mode)
  }

  func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    if let refused = refused.withLock({ $0 }),
      newPath == refused || newPath.removingLastComponent() == refused
    {
      throw FileError(.rename, newPath, .notPermitted)
    }
    try base.rename(path, to: newPath)
  }

  func lock(at path: FilePath) throws(FileError) -> any FileLock {
    if path == "/documents/.card.lock" { editOnce(edit) }
    return try base.lock(at: path)
  }
}
