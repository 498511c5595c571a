internal import CSystemCalls
import KeepsakeBase
public import SystemPackage

extension LocalFileSystem {
  /// Reads all bytes of some files of one directory (openat(2), fstat(2), pread(2)), and resolves the
  /// directory's path only once.
  public func readFiles(
    _ names: ArraySlice<String>, inDirectory directory: FilePath,
    _ body: (String, Result<[UInt8]?, FileError>) -> Void
  ) {
    let open = directory.withPlatformString { openFile($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    defer { if open >= 0 { _ = close(open) } }
    // Used again for each file, unless the closure keeps it.
    var bytes: [UInt8] = []
    for name in names {
      do throws(FileError) {
        // A user who may not list a directory may still read a file in it by its path.
        if open < 0 {
          body(name, .success(try readFile(at: directory.appending(name))))
        } else {
          let isThere = try read(name, in: open, directory, into: &bytes)
          body(name, .success(isThere ? bytes : nil))
        }
      } catch {
        body(name, .failure(error))
      }
    }
  }

  /// Reads the bytes of a file.
  ///
  /// - Returns: Whether the file exists.
  private func read(
    _ name: String, in open: Int32, _ directory: FilePath, into bytes: inout [UInt8]
  ) throws(FileError) -> Bool {
    func failure(_ operation: FileError.Operation, _ code: Errno) -> FileError {
      FileError(operation, directory.appending(name), code)
    }
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = retried { name.withCString { openat(open, $0, flags) } }
    if descriptor < 0 {
      let code = Errno.current
      switch code {
      case .noSuchFileOrDirectory, .notDirectory: return false
      // A file server may hold a lease on the file; opening it by its path waits for that.
      case .resourceTemporarilyUnavailable:
        guard let found = try readFile(at: directory.appending(name)) else { return false }
        bytes = found
        return true
      default: throw failure(.open, code)
      }
    }
    defer { _ = close(descriptor) }
    var status = stat()
    if retried({ fstat(descriptor, &status) }) < 0 { throw failure(.examine, .current) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure(.open, .isDirectory)
    default: throw failure(.open, .invalidArgument)
    }
    let size = Int(status.st_size)
    if bytes.count < size {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    } else {
      bytes.removeLast(bytes.count - size)
    }
    var code: Errno?
    var count = 0
    bytes.withUnsafeMutableBytes { buffer in
      while count < size {
        let read = retried {
          pread(descriptor, buffer.baseAddress! + count, size - count, off_t(count))
        }
        if read < 0 { code = .current }
        if read <= 0 { break }
        count += read
      }
    }
    if let code { throw failure(.read, code) }
    bytes.removeLast(size - count)
    return true
  }

  /// Repeats a system call until no signal interrupts it.
  private func retried<Result: BinaryInteger>(_ body: () -> Result) -> Result {
    while true {
      let result = body()
      if result >= 0 || Errno.current != .interrupted { return result }
    }
  }
}
