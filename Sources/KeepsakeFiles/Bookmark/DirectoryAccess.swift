import KeepsakeBase
public import SystemPackage

/// Access to a directory, which lasts until ``stop()`` or until it is released.
///
/// While it lasts the directory is held open, so that ``path`` follows it wherever it is moved.
public final class DirectoryAccess: Sendable {
  private let directory: Mutex<OpenDirectory?>
  private let identity: DirectoryIdentity
  private let firstPath: FilePath

  init(_ directory: OpenDirectory, identity: DirectoryIdentity, path: FilePath) {
    self.directory = Mutex(directory)
    self.identity = identity
    firstPath = path
    Self.held.withLock { held in
      held.removeAll { $0.access == nil }
      held.append(Held(access: self))
    }
  }

  /// Where the directory is now, or where it was found if it was removed or access was stopped.
  public var path: FilePath {
    directory.withLock { $0?.path } ?? firstPath
  }

  /// Lets the directory go; a second call does nothing.
  public func stop() {
    directory.withLock { $0 = nil }
  }

  // MARK: What the process holds

  private struct Held {
    weak let access: DirectoryAccess?
  }

  private static let held = Mutex<[Held]>([])

  /// Where a directory is that the process has access to.
  static func heldPath(of identity: DirectoryIdentity) -> FilePath? {
    let accesses = held.withLock { $0.compactMap(\.access) }
    return accesses.lazy.filter { $0.identity.matches(identity) }
      .compactMap { access in access.directory.withLock { $0?.path } }.first
  }
}
