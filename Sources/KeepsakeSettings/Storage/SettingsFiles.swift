import KeepsakeBase
import SystemPackage

/// The files that are open, so that each is left as a property list when the process exits.
enum SettingsFiles {
  private static let open = Mutex<[SettingsFile]?>(nil)

  /// Closes a file when the process exits, unless it is closed before.
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
    // A process that exits within a transaction would wait for it; what was written before is safe.
    let busy = Set(files.lazy.filter { !$0.becomesIdle() }.map(\.path))
    for file in files where !busy.contains(file.path) { file.close() }
  }
}
