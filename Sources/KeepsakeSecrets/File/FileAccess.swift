#if Secrets
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// The access of other users to a file or directory.
enum FileAccess {
  /// Removes the access of other users, if they have any.
  ///
  /// - Parameters:
  ///   - path: The file or directory.
  ///   - found: Its attributes.
  ///   - files: The file system; only the local one can change permissions.
  /// - Returns: The problem to report, or `nil` if other users had no access.
  static func narrow(
    _ path: FilePath, _ found: FileInformation, in files: any FileSystem
  ) -> SecretError? {
    let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
    guard found.kind == .file || found.kind == .directory,
      !found.permissions.isDisjoint(with: others)
    else { return nil }
    let kind = found.kind == .directory ? "directory" : "file"
    let mode = "0" + String(found.permissions.rawValue & 0o777, radix: 8)
    do throws(Errno) {
      guard files is LocalFileSystem else { throw .notSupported }
      try narrow(path)
    } catch {
      return SecretError(
        .exposed,
        "other users can access the \(kind) (\(mode)), and its permissions cannot be changed",
        file: path, cause: error)
    }
    return SecretError(
      .exposed, "other users could access the \(kind) (\(mode)); now only its owner can",
      file: path)
  }

  /// Changes the permissions of the open file: another one may take its path at any moment.
  private static func narrow(_ path: FilePath) throws(Errno) {
    do {
      let file = try FileDescriptor.open(
        path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
      try file.closeAfter {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0,
          fchmod(file.rawValue, status.st_mode & 0o700) == 0,
          fstat(file.rawValue, &status) == 0
        else { throw Errno(rawValue: errno) }
        // A file system without permissions may ignore the call.
        if status.st_mode & 0o077 != 0 { throw Errno.notSupported }
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
#endif
