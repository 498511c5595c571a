import Stage
import SystemPackage

/// Which directory a person looks at, of those below a root.
@MainActor
final class DirectoryBrowser: ObservableObject {
  private var tree: DirectoryTree?
  /// What is shown; of a directory that cannot be opened, only its path.
  @Published private(set) var listing: DirectoryTree.Listing
  /// Why the directory cannot be opened.
  @Published private(set) var failure: DirectoryTreeError?

  init(root: FilePath) {
    listing = DirectoryTree.Listing(path: root)
    do throws(DirectoryTreeError) {
      let tree = try DirectoryTree(root: root)
      self.tree = tree
      listing = try tree.list(tree.root)
    } catch {
      failure = error
    }
  }

  var canGoUp: Bool { tree.map { $0.root != listing.path } ?? false }

  func goUp() { show(listing.path.removingLastComponent()) }

  func open(_ name: String) { show(listing.path.appending(name)) }

  private func show(_ path: FilePath) {
    guard let tree else { return }
    do throws(DirectoryTreeError) {
      failure = nil
      listing = try tree.list(path)
    } catch {
      failure = error
      listing = DirectoryTree.Listing(path: path)
    }
  }

  /// The directory that is shown, if it is still one that can be chosen.
  func choose() throws(DirectoryTreeError) -> FilePath {
    if let failure { throw failure }
    guard let tree else { throw .outside(listing.path) }
    return try tree.directory(at: listing.path)
  }
}
