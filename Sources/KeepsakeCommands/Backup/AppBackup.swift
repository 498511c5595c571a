#if Commands
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// Writes what an app keeps into an archive.
///
/// The paths in the archive are those of a container below one directory, not those of the app.
final class AppBackup {
  private let container: AppContainer
  private let includesKeys: Bool
  private let output: Output
  private let tar: TarWriter
  private let files = ReadOnlyFileSystem()
  private let layout: BackupLayout
  private let progress: ProgressLine
  private var count = 0
  private var keyCount = 0
  private var hasSecrets = false

  init(
    _ container: AppContainer, includesKeys: Bool, _ output: Output,
    write: @escaping ([UInt8]) throws -> Void
  ) {
    self.container = container
    self.includesKeys = includesKeys
    self.output = output
    tar = TarWriter(write)
    layout = BackupLayout(container)
    progress = output.progress("files")
  }

  /// Writes the archive.
  ///
  /// - Returns: How many files were written, and what was left out.
  /// - Throws: An error if there is nothing to write, or a file cannot be read.
  func run() throws -> String {
    if container.hasSettings { try addSettings(container.preferencesFile()) }
    let scenes = container.savedState
    for directory in [scenes, scenes.appending("Scenes")] {
      // What a scene stored lately is in a journal alone.
      let names = try contents(directory).compactMap { SettingsDomains.stem(of: $0) }
      for name in Set(names).sorted() { try addSettings(directory.appending(name + ".plist")) }
    }
    // First the documents: assets that they name are then there when the others are listed.
    let suffixes = PlainDocument.kinds(in: container.documents).map { "." + $0 }
    func isDocument(_ name: String) -> Bool { suffixes.contains { name.hasSuffix($0) } }
    for name in try contents(container.documents) where isDocument(name) {
      try addFile(container.documents.appending(name))
    }
    try addTree(container.documents) { path in
      path.removingLastComponent() == self.container.documents
        && isDocument(path.lastComponent?.string ?? "")
    }
    try addTree(container.applicationSupport) { _ in false }
    progress.finish()
    if count == 0 { throw CommandError(.missing, "'\(container.identifier)' keeps nothing.") }
    try tar.finish()
    var summary = "files: \(count)"
    if keyCount > 0 { summary += "; keys \(includesKeys ? "included" : "left out"): \(keyCount)" }
    if hasSecrets && !(includesKeys && keyCount > 0) {
      summary += "; it contains secrets, but not the key that opens them"
    }
    return summary
  }

  private func add(_ path: FilePath, _ bytes: [UInt8], _ modified: Int64) throws {
    guard let name = layout.name(of: path) else { return }
    try tar.add(name, bytes, modified: modified / 1_000_000_000)
    count += 1
    progress.update(count)
  }

  /// Adds a property list as it is at one moment, with the changes that are in a journal alone, and what was
  /// preserved and quarantined beside it.
  private func addSettings(_ path: FilePath) throws {
    let store = try SettingsStore(file: path, fileSystem: files) { [output] problem in
      if problem.code != .notWritten { output.warn("\(problem)") }
    }
    let modified = try files.information(at: path)?.modified ?? 0
    try add(path, PropertyList.serializeXML(sortedEntries: store.ownValues), modified)
    let directory = path.removingLastComponent()
    let prefix = "\(path.lastComponent?.string ?? "")."
    for name in try contents(directory) where name.hasPrefix(prefix) {
      try addFile(directory.appending(name))
    }
  }

  /// Adds all files below a directory but those that were added, and what belongs elsewhere.
  private func addTree(_ directory: FilePath, except isAdded: (FilePath) -> Bool) throws {
    let names = try contents(directory)
    let isOfDocuments = names.contains { $0.hasPrefix(".") && $0.hasSuffix(".lock") }
    for name in names {
      // What is known of other machines is not of the same moment: there, it would revert or remove documents.
      if isOfDocuments && name == "Sharing" { continue }
      let path = directory.appending(name)
      // Where several directories are one, the property lists are there already.
      let isOfSettings =
        directory == container.preferences && SettingsDomains.stem(of: name) != nil
        || directory == container.savedState && name.hasPrefix("Scenes")
      if isAdded(path) || isOfSettings || layout.isElsewhere(path, than: directory) { continue }
      guard let found = try files.information(at: path) else { continue }
      switch found.kind {
      case .directory: try addTree(path, except: isAdded)
      case .file: try addFile(path)
      default: output.warn("left out, because it is not a file: \(path)")
      }
    }
  }

  private func addFile(_ path: FilePath) throws {
    let name = path.lastComponent?.string ?? ""
    let isStoreLock =
      path.removingLastComponent() == container.documents && name.hasPrefix(".")
      && name.hasSuffix(".lock")
    let isTemporary = name.hasPrefix(".") && name.hasSuffix(".new")
    let isLock = name == "secrets.json.lock" || name.hasPrefix(".") && name.hasSuffix(".lock")
    if isLock && !isStoreLock || isTemporary { return }
    // It may be removed meanwhile.
    guard let found = try files.information(at: path), found.kind == .file,
      // A store is known by its lock, whose content is of no use elsewhere.
      let bytes = isStoreLock ? [] : try files.readFile(at: path)
    else { return }
    if Self.isKey(name, bytes) {
      keyCount += 1
      if !includesKeys { return }
    }
    if name == "secrets.json" { hasSecrets = true }
    try add(path, bytes, found.modified)
  }

  /// Whether a file is a key of secrets, by its name or because it is as the library writes keys.
  private static func isKey(_ name: String, _ bytes: [UInt8]) -> Bool {
    if name.hasSuffix(".key") { return true }
    let digits = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    return digits.count == 64
      && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }

  private func contents(_ directory: FilePath) throws -> [String] {
    guard try files.information(at: directory) != nil else { return [] }
    return try files.contents(ofDirectory: directory).sorted()
  }
}
#endif
