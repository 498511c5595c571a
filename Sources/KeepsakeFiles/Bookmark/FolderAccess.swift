import KeepsakeBase
public import SystemPackage

/// Access to a folder, which lasts until ``stop()`` or until it is released.
///
/// While it lasts the folder is held open, so that ``path`` follows it wherever it is moved.
public final class FolderAccess: Sendable {
  private let folder: Mutex<OpenFolder?>
  private let identity: FolderIdentity
  private let firstPath: FilePath

  init(_ folder: OpenFolder, identity: FolderIdentity, path: FilePath) {
    self.folder = Mutex(folder)
    self.identity = identity
    firstPath = path
    Self.held.withLock { held in
      held.removeAll { $0.access == nil }
      held.append(Held(access: self))
    }
  }

  /// Where the folder is now, or where it was found if it was removed or access was stopped.
  public var path: FilePath {
    folder.withLock { $0?.path } ?? firstPath
  }

  /// Lets the folder go; a second call does nothing.
  public func stop() {
    folder.withLock { $0 = nil }
  }

  // MARK: What the process holds

  private struct Held {
    weak let access: FolderAccess?
  }

  private static let held = Mutex<[Held]>([])

  /// Where a folder is that the process has access to.
  static func heldPath(of identity: FolderIdentity) -> FilePath? {
    let accesses = held.withLock { $0.compactMap(\.access) }
    return accesses.lazy.filter { $0.identity.matches(identity) }
      .compactMap { access in access.folder.withLock { $0?.path } }.first
  }
}
