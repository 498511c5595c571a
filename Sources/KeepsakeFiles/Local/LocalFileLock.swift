import CSystemCalls
import KeepsakeBase
import SystemPackage

/// A kernel lock in a local file: open file description locks (fcntl(2)), one byte each.
///
/// They belong to the open file, not to the process, so that two stores of one process exclude each
/// other, and closing another descriptor of the file releases nothing. The file contains the ID of the
/// process that acquired each lock last, for the error message after a timeout. Another byte, on which
/// all users of the file have a shared lock, shows whether there are other users.
final class LocalFileLock: FileLock {
  private struct State {
    var file: LocalFile
    /// Of the open file, which another process may have removed from the path.
    var identity: FileInformation.Identity
    /// The process ID as it is written to the file.
    var holder: [UInt8]
    var fork: Int
    var isAnnounced = false
    /// The parts that are held: the kernel would grant them to the same open file again.
    var held: Set<Int> = []
  }

  private let path: FilePath
  private let state: Mutex<State>

  // Bytes after the end of a file can be locked; these are after the process IDs of the holders.
  private static let presenceByte = 1 << 20
  private static let firstPartByte = presenceByte + 1
  /// The length of a holder's process ID in the file.
  private static let holderSize = 16

  init(path: FilePath) throws(FileError) {
    self.path = path
    state = Mutex(try Self.open(path))
  }

  func announceUser() throws(FileError) {
    _ = try Self.tryLock(current().file, F_RDLCK, Self.presenceByte)
    state.withLock { $0.isAnnounced = true }
  }

  var hasOtherUsers: Bool {
    get throws(FileError) {
      let file = try current().file
      var request = flock(F_WRLCK, Self.presenceByte)
      try call(.lock, path) { fcntl(file.descriptor, OpenFileLock.get, &request) }
      return request.l_type != Int16(F_UNLCK)
    }
  }

  func acquire(_ part: Int, timeout: Duration) throws(FileError) {
    let deadline = ContinuousClock.now + timeout
    var delay: UInt32 = 50
    while true {
      let (file, identity, holder) = try current()
      let isFree = state.withLock { $0.held.insert(part).inserted }
      var isKept = false
      defer { if isFree && !isKept { state.withLock { _ = $0.held.remove(part) } } }
      if isFree, try Self.tryLock(file, F_WRLCK, Self.firstPartByte + part) {
        // Reading the attributes may fail.
        defer { if !isKept { Self.unlock(file, Self.firstPartByte + part) } }
        // Another process may have removed the file, so that later processes lock a new one.
        if try LocalFileSystem().information(at: path)?.identity == identity {
          Self.write(holder, of: part, to: file)
          isKept = true
          return
        }
        try state.withLock { (state) throws(FileError) in
          let held = state.held
          try reopen(&state)
          state.held = held
        }
        continue
      }
      let rest = deadline - .now
      if rest <= .zero {
        throw FileError(.lock, path, .resourceBusy, effect: describeHolder(of: part, in: file))
      }
      usleep(min(delay, UInt32(max(1, min(rest / .microseconds(1), 1e6)))))
      delay = min(delay * 2, 1000)
    }
  }

  func isHeldElsewhere(_ part: Int) throws(FileError) -> Bool {
    let file = try current().file
    var request = flock(F_WRLCK, Self.firstPartByte + part)
    try call(.lock, path) { fcntl(file.descriptor, OpenFileLock.get, &request) }
    return request.l_type != Int16(F_UNLCK)
  }

  func release(_ part: Int) {
    let file = state.withLock { state in
      state.held.remove(part)
      return state.file
    }
    Self.unlock(file, Self.firstPartByte + part)
  }

  /// The open file, its identity and the text of its holder; opened again in a forked child, which would
  /// share its parent's locks otherwise.
  private func current() throws(FileError) -> (
    file: LocalFile, identity: FileInformation.Identity, holder: [UInt8]
  ) {
    try state.withLock { (state) throws(FileError) in
      if state.fork != ProcessFork.count { try reopen(&state) }
      return (state.file, state.identity, state.holder)
    }
  }

  private func reopen(_ state: inout State) throws(FileError) {
    let isAnnounced = state.isAnnounced
    state = try Self.open(path)
    state.isAnnounced = isAnnounced
    if isAnnounced { _ = try Self.tryLock(state.file, F_RDLCK, Self.presenceByte) }
  }

  private static func open(_ path: FilePath) throws(FileError) -> State {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = try call(.lock, path) {
      path.withPlatformString { openFile($0, flags, 0o600) }
    }
    LocalFileSystem.assignToDirectoryOwner(descriptor, at: path)
    let file = LocalFile(descriptor: descriptor, path: path)
    let information = try file.information()
    guard information.kind == .file else { throw FileError(.lock, path, .invalidArgument) }
    let process = Array("\(getpid())".utf8)
    let spaces = [UInt8](repeating: 0x20, count: holderSize - 1 - process.count)
    return State(
      file: file, identity: information.identity, holder: process + spaces + [0x0A],
      fork: ProcessFork.count)
  }

  /// Writes the process ID of a lock's holder, unless it is there; an error is ignored, because only a
  /// message depends on it.
  private static func write(_ holder: [UInt8], of part: Int, to file: LocalFile) {
    let offset = off_t(part * holderSize)
    withUnsafeTemporaryAllocation(byteCount: holderSize, alignment: 1) { found in
      if pread(file.descriptor, found.baseAddress, holderSize, offset) == holderSize,
        found.elementsEqual(holder)
      {
        return
      }
      _ = holder.withUnsafeBytes { pwrite(file.descriptor, $0.baseAddress, $0.count, offset) }
    }
  }

  /// - Returns: Whether the lock was acquired; false if another open file holds it.
  private static func tryLock(
    _ file: LocalFile, _ kind: Int32, _ byte: Int
  ) throws(FileError) -> Bool {
    var request = flock(kind, byte)
    do throws(FileError) {
      try call(.lock, file.path) { fcntl(file.descriptor, OpenFileLock.set, &request) }
      return true
    } catch {
      if error.code == .resourceTemporarilyUnavailable || error.code == .permissionDenied {
        return false
      }
      throw error
    }
  }

  private static func unlock(_ file: LocalFile, _ byte: Int) {
    var request = flock(F_UNLCK, byte)
    _ = fcntl(file.descriptor, OpenFileLock.set, &request)
  }

  // MARK: Holders

  private func describeHolder(of part: Int, in file: LocalFile) -> String {
    var text = [UInt8](repeating: 0, count: Self.holderSize)
    let count = text.withUnsafeMutableBytes {
      pread(file.descriptor, $0.baseAddress, $0.count, off_t(part * Self.holderSize))
    }
    let digits = text.prefix(max(0, count)).prefix { (0x30...0x39).contains($0) }
    guard let process = pid_t(String(decoding: digits, as: UTF8.self)), process > 0 else {
      return "another process holds it"
    }
    // A forked child has the same open file, and its locks, until it ends.
    let hasEnded = kill(process, 0) != 0 && Errno.current == .noSuchProcess
    return hasEnded
      ? "a process that was forked by process \(process), which has ended, holds it"
      : "process \(process) holds it"
  }
}

/// The commands for open file description locks.
private enum OpenFileLock {
  #if os(Linux) || os(Android)
  static let get = Int32(keepsake_F_OFD_GETLK)
  static let set = Int32(keepsake_F_OFD_SETLK)
  #elseif canImport(Darwin)
  // F_OFD_GETLK and F_OFD_SETLK of <sys/fcntl.h>.
  static let get: Int32 = 92
  static let set: Int32 = 90
  #else
  // These locks belong to the process: two stores of one process do not exclude each other.
  static let get = F_GETLK
  static let set = F_SETLK
  #endif
}

extension flock {
  /// Describes a lock of one byte.
  fileprivate init(_ kind: Int32, _ byte: Int) {
    self.init()
    l_type = Int16(kind)
    l_whence = Int16(SEEK_SET)
    l_start = off_t(byte)
    l_len = 1
  }
}
