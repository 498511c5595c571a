import KeepsakeDirectories
import Stage
import SystemPackage

/// Finds the directory of a bookmark and lists its files.
@MainActor
final class WorkingDirectory: ObservableObject {
  enum State: Sendable {
    case none
    case searching(FilePath)
    case found(FilePath, DirectoryContents)
    case unavailable(String)
  }

  @Published private(set) var state = State.none
  private var search: Task<Void, Never>?

  /// Shows why a directory could not be chosen.
  func fail(_ error: any Error) {
    state = .unavailable(Self.sentence(error))
  }

  /// Finds and lists a directory, also if it was moved since.
  ///
  /// - Parameter onMove: Receives a new bookmark if the old one is stale.
  func open(
    _ bookmark: DirectoryBookmark?, onMove: @escaping @MainActor (DirectoryBookmark) -> Void
  ) {
    search?.cancel()
    guard let bookmark else {
      state = .none
      return
    }
    state = .searching(bookmark.path)
    search = Task {
      // Not on the main actor: the search may examine thousands of directories.
      let result = await Task.detached { Result { try Self.find(bookmark) } }.value
      if Task.isCancelled { return }
      switch result {
      case .success(let found):
        state = .found(found.path, found.contents)
        if let renewed = found.renewed { onMove(renewed) }
      case .failure(let error):
        fail(error)
      }
    }
  }

  private nonisolated static func find(
    _ bookmark: DirectoryBookmark
  ) throws -> (path: FilePath, contents: DirectoryContents, renewed: DirectoryBookmark?) {
    let found = try bookmark.resolve()
    // Open meanwhile, so that no other directory can take its name.
    return try found.withAccess { _ in
      (
        found.path, try DirectoryContents(of: found.path),
        found.isStale ? try DirectoryBookmark(directory: found.path) : nil
      )
    }
  }

  private static func sentence(_ error: any Error) -> String {
    let text = String(describing: error)
    return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }
}
