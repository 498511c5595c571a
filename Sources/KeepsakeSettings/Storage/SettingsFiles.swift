import KeepsakeBase
import SystemPackage

/// The open settings files; each is closed, which writes its property list, when the process exits.
enum SettingsFiles {
  private static let open = Mutex<[SettingsFile]?>(nil)

  /// Registers a file to be closed when the process exits.
  static func closeAtExit(_ file: SettingsFile) {
    open.withLock { open in
      if open == nil { AtExit.run { SettingsFiles.closeAll() } }
      open = (open ?? []) + [file]
    }
  }

  static func forget(_ file: SettingsFile) {
    open.withLock { $0?.removeAll { $0 === file } }
  }

  private static func closeAll() {
    let files = open.withLock { $0 ?? [] }
    // Closing would wait forever for a transaction whose body exits the process. Earlier changes
    // are already in the journal.
    let busy = Set(files.lazy.filter { !$0.waitUntilIdle() }.map(\.path))
    for file in files where !busy.contains(file.path) { file.close() }
  }
}
