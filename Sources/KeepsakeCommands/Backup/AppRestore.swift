#if Commands
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// Brings back what an archive contains.
struct AppRestore {
  private let container: AppContainer
  private let archive: String
  private let isReplacing: Bool
  private let output: Output
  private let layout: BackupLayout

  init(_ container: AppContainer, archive: String, isReplacing: Bool, _ output: Output) {
    self.container = container
    self.archive = archive
    self.isReplacing = isReplacing
    self.output = output
    layout = BackupLayout(container)
  }

  /// Brings all files back, after the whole archive was read.
  ///
  /// - Returns: The number of files.
  /// - Throws: An error if the archive is damaged or belongs to another app, or if the app keeps something
  ///   that may not be replaced; nothing was changed then.
  func run() async throws -> Int {
    // Read twice unless it is a pipe: a damaged archive must change nothing.
    let bytes = archive == "-" ? try Input.bytes(of: "-") : nil
    var count = 0
    try await forEachFile(bytes) { file in
      guard let path = layout.path(of: file.path), isBackedUp(path) else {
        throw CommandError(
          .wrongData,
          """
          '\(file.path)' in the archive is not a file of '\(container.identifier)'; nothing was changed.
          """)
      }
      try check(file, path)
      count += 1
    }
    if !isReplacing { try checkEmpty() }
    let progress = output.progress("restored", of: count)
    var done = 0
    try await forEachFile(bytes) { file in
      guard let path = layout.path(of: file.path) else { return }
      try await restore(file, to: path)
      done += 1
      progress.update(done)
    }
    progress.finish()
    return count
  }

  private func forEachFile(
    _ bytes: [UInt8]?, _ body: (TarReader.File) async throws -> Void
  ) async throws {
    if let bytes {
      var rest = bytes[...]
      var reader = TarReader(limit: Input.limit) { count in
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
      }
      while let file = try reader.next() { try await body(file) }
      return
    }
    guard let found = try LocalFileSystem().information(at: FilePath(archive)) else {
      throw CommandError(.missing, "There is no file '\(archive)'.")
    }
    guard found.kind == .file else {
      throw CommandError(
        .wrongData, "'\(archive)' is not a file; '-' reads the standard input. Nothing was changed."
      )
    }
    let file = try FileDescriptor.open(FilePath(archive), .readOnly)
    defer { try? file.close() }
    var reader = TarReader(limit: Int(found.size)) { count in
      try [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
        while read < count {
          let more = try file.read(
            into: UnsafeMutableRawBufferPointer(
              rebasing: UnsafeMutableRawBufferPointer(buffer)[read...]))
          if more == 0 { break }
          read += more
        }
      }
    }
    while let file = try reader.next() { try await body(file) }
  }

  /// Whether a backup of the app has such files: no settings of other apps, and no locks and journals of
  /// settings.
  private func isBackedUp(_ path: FilePath) -> Bool {
    let name = path.lastComponent?.string ?? ""
    let parent = path.removingLastComponent()
    let settings = container.preferencesFile().lastComponent?.string ?? ""
    if name.contains(".journal-"), parent == container.preferences || isScene(path) {
      return false
    }
    if name == settings || name.hasPrefix(settings + ".") { return true }
    if parent == container.preferences, container.preferences != container.applicationSupport {
      return false
    }
    return !isScene(path) || name.hasSuffix(".plist") || name.contains(".plist.")
  }

  /// Whether a file belongs to the scenes, whose directory may be one of the others, too.
  private func isScene(_ path: FilePath) -> Bool {
    let parent = path.removingLastComponent()
    return parent == container.savedState.appending("Scenes")
      || path == container.savedState.appending("Scenes.plist")
      || parent == container.savedState && container.savedState != container.applicationSupport
  }

  /// Whether the settings of a file are merged into a store.
  private func isPropertyList(_ path: FilePath) -> Bool {
    path == container.preferencesFile()
      || isScene(path) && path.lastComponent?.extension == "plist"
  }

  /// Throws what would stop the restoring of a file, before anything is changed.
  private func check(_ file: TarReader.File, _ path: FilePath) throws {
    let files = ReadOnlyFileSystem()
    if isPropertyList(path) { _ = try SettingsFormat.read(file.bytes, named: file.path) }
    let found = try files.information(at: path)
    if let found, found.kind != .file {
      throw CommandError(.notCreated, "'\(path)' is not a file; nothing was changed.")
    }
    // A link would lead out of the app's directories.
    var parent = path.removingLastComponent()
    while layout.isInside(parent) {
      if try files.information(at: parent)?.kind == .symbolicLink {
        throw CommandError(.notCreated, "'\(parent)' is a symbolic link; nothing was changed.")
      }
      parent = parent.removingLastComponent()
    }
    // The version is that of the last launch, which a new installation has, too.
    let isMerged =
      isPropertyList(path) || file.path.hasSuffix(".lock")
      || path == container.applicationSupport.appending("version")
    if found != nil, !isReplacing, !isMerged {
      throw CommandError(.notCreated, "'\(path)' exists; use '--replace'. Nothing was changed.")
    }
  }

  /// Throws if the app keeps something.
  private func checkEmpty() throws {
    // An app that has only been started has files without values, locks and empty directories.
    let files = ReadOnlyFileSystem()
    func keeps(_ directory: FilePath) throws -> Bool {
      guard let found = try files.information(at: directory) else { return false }
      if found.kind != .directory {
        return !(directory.lastComponent?.string ?? "").hasSuffix(".lock")
      }
      return try files.contents(ofDirectory: directory).contains { name in
        try keeps(directory.appending(name))
      }
    }
    var hasValues = false
    if container.hasSettings {
      let store = try SettingsStore(
        file: container.preferencesFile(), fileSystem: files, onProblem: { _ in })
      hasValues = !store.ownValues.isEmpty
    }
    let secrets = container.applicationSupport.appending("secrets.json")
    let scenes = try SettingsStore(
      file: container.savedState.appending("Scenes.plist"), fileSystem: files, onProblem: { _ in })
    if try hasValues || !scenes.ownValues.isEmpty || keeps(container.documents) || keeps(secrets) {
      throw CommandError(
        .notCreated,
        "'\(container.identifier)' keeps something already; use '--replace'. Nothing was changed.")
    }
  }

  private func restore(_ file: TarReader.File, to path: FilePath) async throws {
    let files = LocalFileSystem()
    if isPropertyList(path) {
      let values = try SettingsFormat.read(file.bytes, named: file.path)
      let store = try SettingsStore(file: path, fileSystem: files) { output.warn("\($0)") }
      try store.transaction { settings in
        for name in store.names where values[name] == nil { settings[.any(name)] = nil }
        for (key, value) in values { settings[.any(key)] = value }
      }
      return try await store.synchronize()
    }
    try files.createDirectories(path.removingLastComponent())
    // Another process may hold a lock, whose file has no content of use.
    if path.lastComponent?.string.hasSuffix(".lock") == true {
      if try files.information(at: path) != nil { return }
    }
    try files.replaceFile(at: path, with: file.bytes)
  }
}
#endif
