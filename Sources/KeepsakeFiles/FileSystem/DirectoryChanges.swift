public import SystemPackage

/// What changed in a watched directory.
public enum DirectoryChanges: Hashable, Sendable {
  /// Files with these names were created, written, renamed or removed; no others changed.
  case names(Set<FilePath.Component>)
  /// Any file may have changed, or another directory has the path: notifications were lost, or the
  /// directory itself was renamed or removed.
  case unknown

  /// Adds a name, unless any file may have changed.
  package mutating func insert(_ name: FilePath.Component) {
    guard case .names(var names) = self else { return }
    // The set has one owner, or it would be copied.
    self = .unknown
    names.insert(name)
    self = .names(names)
  }
}
