import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that are open, so that each is left as a property list when the process ends.
enum SettingsFiles {
  private struct Reference: Sendable {
    weak var file: SettingsFile?
  }

  private static let open = Mutex<[Reference]?>(nil)

  /// Writes a file's property list when the process exits, if the file is still open then.
  static func closeAtExit(_ file: SettingsFile) {
    open.withLock { open in
      if open == nil {
        atexit { SettingsFiles.closeAll() }
      }
      open = (open ?? []).filter { $0.file != nil } + [Reference(file: file)]
    }
  }

  private static func closeAll() {
    let files = open.withLock { $0 ?? [] }
    for reference in files { reference.file?.close() }
  }
}
