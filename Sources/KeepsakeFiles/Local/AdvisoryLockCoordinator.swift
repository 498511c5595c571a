import KeepsakeBase
import SystemPackage

/// The coordination of processes by flock(2) alone, where memory cannot be shared: file systems
/// that other machines serve, and platforms without the calls for it.
///
/// No position can be published, so each holder of the lock looks at the files itself; the doorbell
/// is a byte written to the lock's file.
final class AdvisoryLockCoordinator: FileCoordinator {
  private let file: LocalFile
  private let watch = Mutex<(any FileWatch)?>(nil)

  init(path: FilePath) throws(FileError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    file = LocalFile(
      descriptor: try call(.lock, path) {
        path.withPlatformString { openFile($0, flags, 0o600) }
      }, path: path)
  }

  /// A lock of flock(2) that is held for as long as the process lives would shut all others out.
  var cameAlone: Bool { true }

  func lock() throws(FileError) {
    try call(.lock, file.path) { flock(file.descriptor, LOCK_EX) }
  }

  func unlock() {
    flock(file.descriptor, LOCK_UN)
  }

  var position: SharedPosition? { nil }

  func publish(_ position: SharedPosition?) {
    var byte: UInt8 = 1
    _ = pwrite(file.descriptor, &byte, 1, 0)
  }

  func armDoorbell() {}

  func onDoorbell(_ handler: (@Sendable () -> Void)?) throws(FileError) {
    var new: (any FileWatch)?
    if let handler { new = try FileWatcher.shared.watch(file.path, for: .bytes, handler) }
    let old = watch.withLock { [new] watch in
      defer { watch = new }
      return watch
    }
    // Let go of outside the lock.
    withExtendedLifetime(old) {}
  }
}
