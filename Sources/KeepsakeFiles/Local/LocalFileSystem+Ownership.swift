internal import CSystemCalls
import KeepsakeBase
import SystemPackage

extension LocalFileSystem {
  /// Gives a file or directory that the superuser has just created to the owner of its directory.
  ///
  /// Otherwise a program that is run once with sudo(8) leaves files in a user's directories that it
  /// cannot open when the user runs it. File systems without owners refuse, which is ignored.
  ///
  /// - Parameter descriptor: The open file; the user may replace the one at the path at any moment.
  static func assignToDirectoryOwner(_ descriptor: Int32, at path: FilePath) {
    guard geteuid() == 0 else { return }
    let parent = path.removingLastComponent()
    var (file, directory) = (stat(), stat())
    guard (parent.isEmpty ? "." : parent).withPlatformString({ stat($0, &directory) }) == 0,
      directory.st_uid != 0,
      fstat(descriptor, &file) == 0, file.st_uid == 0
    else { return }
    // A file that was opened, not created, may be a link by which the user asks for another's file.
    let isDirectory = file.st_mode & S_IFMT == S_IFDIR
    guard isDirectory || file.st_size == 0 && file.st_nlink == 1 else { return }
    _ = fchown(descriptor, directory.st_uid, directory.st_gid)
  }
}
