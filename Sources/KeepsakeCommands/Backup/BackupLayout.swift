#if Commands
import KeepsakeFiles
import SystemPackage

/// Where a file of an app is in a backup, and back.
struct BackupLayout {
  /// The directories in the app's container and in the archive, those inside others first.
  private let directories: [(own: FilePath, archived: FilePath)]
  /// What is in no backup.
  private let excluded: [FilePath]

  init(_ container: AppContainer) {
    let archive = AppContainer(root: "/", identifier: container.identifier)
    directories = [
      (container.documents, archive.documents), (container.savedState, archive.savedState),
      (container.preferences, archive.preferences),
      (container.applicationSupport, archive.applicationSupport),
    ].sorted { $0.own.components.count > $1.own.components.count }
    excluded = [container.caches, container.temporary]
  }

  /// The path of a file in the archive; `nil` if it belongs to none of the directories.
  func name(of path: FilePath) -> String? {
    for (own, archived) in directories {
      var rest = path
      guard rest.removePrefix(own) else { continue }
      return String(archived.appending(rest.components).string.dropFirst())
    }
    return nil
  }

  /// The file of a path in the archive; `nil` if it belongs to none of the directories, or escapes
  /// them.
  func path(of name: String) -> FilePath? {
    // As tar(1) names the files of a directory.
    let path = FilePath("/" + (name.hasPrefix("./") ? name.dropFirst(2) : name[...]))
    guard path == path.lexicallyNormalized(), !name.utf8.contains(0) else { return nil }
    let known = directories.sorted { $0.archived.components.count > $1.archived.components.count }
    for (own, archived) in known {
      var rest = path
      if rest.removePrefix(archived), !rest.isEmpty { return own.appending(rest.components) }
    }
    return nil
  }

  /// Whether a path is below one of the app's directories.
  func isInside(_ path: FilePath) -> Bool {
    directories.contains { path != $0.own && path.starts(with: $0.own) }
  }

  /// Whether a path is another of the directories than the one that is examined, or is excluded.
  func isElsewhere(_ path: FilePath, than directory: FilePath) -> Bool {
    excluded.contains(path) || directories.contains { $0.own == path && $0.own != directory }
  }
}
#endif
