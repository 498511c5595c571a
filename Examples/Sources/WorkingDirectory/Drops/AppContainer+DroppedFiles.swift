import Foundation
import Keepsake
import SystemPackage

extension AppContainer {
  /// The directory of what users have dropped on the windows. What the app no longer needs there, it
  /// removes with ``removeDropped(_:)``.
  var droppedFiles: FilePath { applicationSupport.appending("Dropped Files") }

  /// Whether a path without symbolic links is that of a copy of something that was dropped.
  func isDropped(_ path: FilePath) -> Bool { drop(containing: path) != nil }

  /// Removes what was dropped, with all that was dropped at the same time; does nothing for a path of
  /// anything else.
  func removeDropped(_ path: FilePath) throws {
    guard let drop = drop(containing: path) else { return }
    try FileManager.default.removeItem(atPath: drop.string)
  }

  /// The directory of a single drop.
  private func drop(containing path: FilePath) -> FilePath? {
    guard let real = droppedFiles.withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(real) }
    let directory = FilePath(platformString: real)
    var rest = path
    guard rest.removePrefix(directory), let name = rest.components.first, name.kind == .regular
    else { return nil }
    let drop = directory.appending(name)
    return FileManager.default.fileExists(atPath: drop.string) ? drop : nil
  }
}
