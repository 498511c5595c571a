import Foundation
import Glibc

/// What the kernel keeps in memory of files, which a cold start does not find.
enum PageCache {
  /// How files can be forgotten here.
  enum Method: String {
    /// All of them with their names, by `/proc/sys/vm/drop_caches`: the superuser's alone.
    case everything = "drop_caches"
    /// The bytes of those that are named, by `posix_fadvise`: names and directories stay in memory.
    case bytes = "fadvise"
  }

  static let method: Method = dropEverything() ? .everything : .bytes

  /// Forgets what is in a directory.
  static func drop(_ directory: String) throws {
    // Only what is on the disk can be forgotten.
    sync()
    if method == .everything {
      _ = dropEverything()
      return
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      let descriptor = open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { continue }
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }

  private static func dropEverything() -> Bool {
    let descriptor = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    return write(descriptor, "3", 1) == 1
  }
}
