import Foundation
import Keepsake
import SystemPackage

/// The directories below a root, which is itself one of them.
///
/// Each path is resolved when it is used, so that no symbolic link leads out, not even one that was made
/// since its name was shown.
struct DirectoryTree: Sendable {
  /// What can be seen of one directory.
  struct Listing: Equatable, Sendable {
    /// The directory, without symbolic links.
    let path: FilePath
    /// The names of its directories, in alphabetical order; hidden ones are left out.
    var names: [FilePath.Component] = []
    /// How many files there are besides.
    var fileCount = 0
    /// How many symbolic links lead out of the root or nowhere.
    var linkCount = 0
    /// How many entries were not examined.
    var unexaminedCount = 0
  }

  /// No directory that a person looks through has more entries.
  static let examinedEntries = 100_000

  let root: FilePath

  init(root: FilePath) throws(DirectoryTreeError) {
    self.root = try Self.resolve(root)
  }

  /// The directory at a path, relative to the root or not, without symbolic links.
  func directory(at path: FilePath) throws(DirectoryTreeError) -> FilePath {
    let resolved = try Self.resolve(root.pushing(path))
    guard resolved.starts(with: root) else { throw .outside(root) }
    guard (try? LocalFileSystem().information(at: resolved))?.kind == .directory else {
      throw .failed(path, .notDirectory)
    }
    return resolved
  }

  func list(_ path: FilePath) throws(DirectoryTreeError) -> Listing {
    let fileSystem = LocalFileSystem()
    var listing = Listing(path: try directory(at: path))
    let entries: [String]
    do throws(FileError) {
      entries = try fileSystem.contents(ofDirectory: listing.path).filter { !$0.hasPrefix(".") }
    } catch {
      throw .failed(path, error.code)
    }
    listing.unexaminedCount = max(0, entries.count - Self.examinedEntries)
    for name in entries.prefix(Self.examinedEntries).compactMap({ FilePath.Component($0) }) {
      let entry = listing.path.appending(name)
      switch try? fileSystem.information(at: entry)?.kind {
      case .directory: listing.names.append(name)
      case .symbolicLink:
        do throws(DirectoryTreeError) {
          _ = try directory(at: entry)
          listing.names.append(name)
        } catch {
          if error == .failed(entry, .notDirectory) {
            listing.fileCount += 1
          } else {
            listing.linkCount += 1
          }
        }
      case .file, .other: listing.fileCount += 1
      // Removed since, or its name is not text.
      case nil: break
      }
    }
    listing.names = listing.names.map { ($0.string.lowercased(), $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    return listing
  }

  private static func resolve(_ path: FilePath) throws(DirectoryTreeError) -> FilePath {
    guard let real = path.withPlatformString({ realpath($0, nil) }) else {
      throw .failed(path, Errno(rawValue: errno))
    }
    defer { free(real) }
    return FilePath(platformString: real)
  }
}
