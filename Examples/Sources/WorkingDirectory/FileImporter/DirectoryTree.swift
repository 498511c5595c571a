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
    var names: [String] = []
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
      throw .failed(root.pushing(path), .notDirectory)
    }
    return resolved
  }

  func list(_ path: FilePath) throws(DirectoryTreeError) -> Listing {
    var listing = Listing(path: try directory(at: path))
    guard let stream = listing.path.withPlatformString({ opendir($0) }) else {
      throw .failed(listing.path, Errno(rawValue: errno))
    }
    defer { closedir(stream) }
    var count = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(validatingCString: $0.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
      // A name that is not text cannot be shown.
      guard let name, name.utf8.first != UInt8(ascii: ".") else { continue }
      count += 1
      if count > Self.examinedEntries {
        listing.unexaminedCount += 1
      } else {
        add(name, Int(entry.pointee.d_type), to: &listing)
      }
    }
    listing.names = listing.names.map { ($0.lowercased(), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    return listing
  }

  private func add(_ name: String, _ type: Int, to listing: inout Listing) {
    // The type is in the directory itself, without which the file is examined.
    switch type {
    case Int(DT_DIR): listing.names.append(name)
    case Int(DT_LNK), Int(DT_UNKNOWN):
      let entry = listing.path.appending(name)
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
    default: listing.fileCount += 1
    }
  }

  private static func resolve(_ path: FilePath) throws(DirectoryTreeError) -> FilePath {
    guard let real = path.withPlatformString({ realpath($0, nil) }) else {
      throw .failed(path, Errno(rawValue: errno))
    }
    defer { free(real) }
    return FilePath(platformString: real)
  }
}
