import KeepsakeBase
package import SystemPackage

/// Finds the home directory of the user who runs the process.
package enum HomeDirectory {
  /// The directory in `HOME` if that is an absolute path, otherwise that of the user database
  /// (getpwuid_r(3)); `nil` if neither is known.
  package static func find(in environment: [String: String]) -> FilePath? {
    if let home = environment["HOME"], home.hasPrefix("/") { return FilePath(home) }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16 << 10)
    guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
      let directory = entry.pw_dir
    else { return nil }
    let path = FilePath(platformString: directory)
    return path.isAbsolute ? path : nil
  }
}
