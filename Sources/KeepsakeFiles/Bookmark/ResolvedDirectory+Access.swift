import KeepsakeBase
public import SystemPackage

extension ResolvedDirectory {
  /// Access to a directory, which lasts until ``stop()`` is called or the object is released.
  ///
  /// The directory is kept open meanwhile, so that ``path`` follows it when it is moved.
  public final class Access: Sendable {
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

    /// The current path of the directory, or the one where it was found if it was removed or access was
    /// stopped.
    public var path: FilePath {
      directory.withLock { $0?.path } ?? firstPath
    }

    /// Closes the directory; a second call does nothing.
    public func stop() {
      directory.withLock { $0 = nil }
    }

    // MARK: Open directories of this process

    private struct Held {
      weak let access: ResolvedDirectory.Access?
    }

    private static let held = Mutex<[Held]>([])

    /// The current path of a directory that the process has access to.
    static func heldPath(of identity: DirectoryIdentity) -> FilePath? {
      let accesses = held.withLock { $0.compactMap(\.access) }
      return accesses.lazy.filter { $0.identity.matches(identity) }
        .compactMap { access in access.directory.withLock { $0?.path } }.first
    }
  }
}
