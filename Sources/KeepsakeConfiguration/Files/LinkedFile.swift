#if Configuration
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A configuration file whose symbolic links are followed inside its directory.
///
/// Kubernetes mounts a ConfigMap as `config.yaml -> ..data/config.yaml` and
/// `..data -> ..2026_11_24_12_00_00.1/`, and updates it by replacing the link `..data`.
struct LinkedFile {
  /// The path without links.
  let path: FilePath
  /// The directories that contain the links.
  let linkDirectories: [FilePath]

  /// As many as Linux follows.
  private static let maximumLinkCount = 40

  /// Resolves the links of a path, except those in its directory's own path.
  ///
  /// - Throws: ``ConfigurationError`` if a link escapes the directory, there are too many links, or one
  ///   cannot be read.
  init(_ file: FilePath, in fileSystem: any FileSystem) throws(ConfigurationError) {
    let parent = file.removingLastComponent()
    let root = parent.isEmpty ? "." : parent
    var resolved: [FilePath.Component] = []
    var rest = Array(file.components.suffix(1))
    var directories: [FilePath] = []
    var linkCount = 0
    while !rest.isEmpty {
      let component = rest.removeFirst()
      switch component.kind {
      case .currentDirectory: continue
      case .parentDirectory:
        guard resolved.popLast() != nil else { throw Self.escape(file) }
        continue
      case .regular: break
      }
      let path = root.appending(resolved + [component])
      guard let destination = try Self.destination(ofLink: path, file, in: fileSystem) else {
        resolved.append(component)
        continue
      }
      linkCount += 1
      guard linkCount <= Self.maximumLinkCount else {
        throw ConfigurationError(
          .unavailable, "there are too many symbolic links in the path of the configuration",
          file: file)
      }
      directories.append(root.appending(resolved))
      if destination.isAbsolute {
        guard destination.starts(with: root) else { throw Self.escape(file) }
        resolved = []
        rest = Array(destination.components.dropFirst(root.components.count)) + rest
      } else {
        rest = Array(destination.components) + rest
      }
    }
    path = linkCount == 0 ? file : root.appending(resolved)
    linkDirectories = directories
  }

  private static func escape(_ file: FilePath) -> ConfigurationError {
    ConfigurationError(
      .unavailable, "the configuration is a symbolic link that escapes its directory",
      effect: "only links inside the directory are followed", file: file)
  }

  /// The destination of a symbolic link, or `nil` if the path is not one.
  private static func destination(
    ofLink path: FilePath, _ file: FilePath, in fileSystem: any FileSystem
  ) throws(ConfigurationError) -> FilePath? {
    do {
      guard try fileSystem.information(at: path)?.kind == .symbolicLink else { return nil }
      return FilePath(try FileManager.default.destinationOfSymbolicLink(atPath: path.string))
    } catch {
      throw ConfigurationError(
        .unavailable, "the configuration cannot be read", file: file, cause: error)
    }
  }

  /// Reads a configuration file.
  ///
  /// - Throws: ``ConfigurationError`` if the file does not exist or cannot be read, or as
  ///   ``init(_:in:)`` does.
  static func read(
    _ file: FilePath, in fileSystem: any FileSystem
  ) throws(ConfigurationError) -> [UInt8] {
    var last: FilePath?
    while true {
      let path = try LinkedFile(file, in: fileSystem).path
      do throws(FileError) {
        if let bytes = try fileSystem.readFile(at: path) { return bytes }
      } catch {
        throw ConfigurationError(
          .unavailable, "the configuration cannot be read", file: file, cause: error)
      }
      // Between the two calls, an update may have removed the file to which the links led.
      if path == file || path == last {
        throw ConfigurationError(.unavailable, "the configuration does not exist", file: file)
      }
      last = path
    }
  }
}
#endif
