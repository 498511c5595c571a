import Foundation
import Keepsake
import SystemPackage

/// The files and directories that users drop on the windows, each drop in a directory of its own.
///
/// Until a drop is complete, the name of its directory begins with a period. An incomplete one that an
/// earlier run left behind is removed.
actor DroppedFiles {
  /// The view that a drop is for.
  struct Target: Hashable, Sendable {
    let session: String
    let element: String
  }

  private struct Drop {
    let target: Target
    let manifest: DropManifest
    var missing: Set<Int>
  }

  nonisolated let limits: DropLimits
  private let directory: FilePath
  private let fileSystem = LocalFileSystem()
  private var drops: [String: Drop] = [:]

  /// Those of the app's container.
  static let main = DroppedFiles(in: AppContainer.main.droppedFiles)

  /// Takes a directory that no other process uses, and removes what earlier runs did not receive completely.
  init(in directory: FilePath, limits: DropLimits = DropLimits()) {
    self.directory = directory
    self.limits = limits
    let names = (try? fileSystem.contents(ofDirectory: directory)) ?? []
    for name in names where name.hasPrefix(".") { Self.remove(directory.appending(name)) }
  }

  /// Prepares to receive a drop, whose identity it returns. A window has one at a time.
  func begin(_ manifest: DropManifest, for target: Target) throws(DropError) -> String {
    try manifest.check(limits)
    cancel(session: target.session)
    let id = UUID().uuidString
    do throws(FileError) {
      try fileSystem.createDirectories(directory)
      try fileSystem.createDirectory(incomplete(id))
      for path in manifest.directories {
        try fileSystem.createDirectory(incomplete(id).appending(path))
      }
    } catch {
      Self.remove(incomplete(id))
      throw .failed(error)
    }
    drops[id] = Drop(
      target: target, manifest: manifest, missing: Set(manifest.files.indices))
    return id
  }

  /// Receives files of a drop that follow each other in its list, as do their bytes.
  func receive(
    _ bytes: [UInt8], first: Int, count: Int = 1, of id: String, for target: Target
  ) throws(DropError) {
    guard let drop = drops[id], drop.target == target else { throw .unknown }
    guard first >= 0, count >= 1, first <= drop.manifest.files.count - count,
      case let numbers = first..<(first + count), numbers.allSatisfy(drop.missing.contains)
    else { throw .unexpectedFile }
    let files = drop.manifest.files[numbers]
    guard bytes.count == files.reduce(0, { $0 + $1.size }) else {
      throw .changed(files[first].path)
    }
    var rest = bytes[...]
    do throws(FileError) {
      for file in files {
        try fileSystem.open(
          incomplete(id).appending(file.path), .createNew(permissions: .ownerReadWrite)
        ).writeAll(Array(rest.prefix(file.size)))
        rest = rest.dropFirst(file.size)
      }
    } catch {
      throw .failed(error)
    }
    drops[id]?.missing.subtract(numbers)
  }

  /// Gives a drop that has been received completely its final name.
  ///
  /// - Returns: The files and directories that were dropped themselves, and where.
  func finish(
    _ id: String, for target: Target
  ) throws(DropError) -> (urls: [URL], location: CGPoint) {
    guard let drop = drops[id], drop.target == target else { throw .unknown }
    guard drop.missing.isEmpty else { throw .incomplete(missing: drop.missing.count) }
    let complete = directory.appending(id)
    do throws(FileError) {
      // Before the name: after a power cut, what has its final name is complete, too.
      try fileSystem.synchronizeAll(at: incomplete(id))
      try fileSystem.rename(incomplete(id), to: complete)
      try fileSystem.synchronizeDirectory(directory)
    } catch {
      Self.remove(complete)
      throw .failed(error)
    }
    drops[id] = nil
    let urls = drop.manifest.roots.map { path, isDirectory in
      URL(
        filePath: complete.appending(path).string,
        directoryHint: isDirectory ? .isDirectory : .notDirectory)
    }
    return (urls, CGPoint(x: drop.manifest.x, y: drop.manifest.y))
  }

  /// Removes what was received of a drop that is not complete.
  func cancel(_ id: String, for target: Target) {
    guard drops[id]?.target == target else { return }
    drops[id] = nil
    Self.remove(incomplete(id))
  }

  /// Removes what was received of a window's drop, if one is not complete.
  func cancel(session: String) {
    for (id, drop) in drops where drop.target.session == session { cancel(id, for: drop.target) }
  }

  /// Removes a complete drop that the app does not want.
  func discard(_ id: String) {
    Self.remove(directory.appending(id))
  }

  private func incomplete(_ id: String) -> FilePath { directory.appending("." + id) }

  private static func remove(_ path: FilePath) {
    try? FileManager.default.removeItem(atPath: path.string)
  }
}
