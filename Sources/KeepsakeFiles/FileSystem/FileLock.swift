/// A kernel lock between processes, in a file that has no other purpose.
///
/// One file has ``partCount`` independent locks. The kernel releases a lock when its process exits.
/// Threads that share one `FileLock` wait for each other, too.
public protocol FileLock: AnyObject, Sendable {
  /// Registers this lock permanently as a user of the file, for ``hasOtherUsers``.
  func announceUser() throws(FileError)

  /// Whether another `FileLock` of the same file, in any process, has called ``announceUser()``.
  var hasOtherUsers: Bool { get throws(FileError) }

  /// Acquires one of the locks of the file that is currently at the path.
  ///
  /// - Parameters:
  ///   - part: The index of the lock, less than ``partCount``.
  ///   - timeout: The maximum time to wait for another process.
  /// - Throws: ``FileError`` with `resourceBusy` and the holder if the timeout expires; the lock is then
  ///   not held.
  func acquire(_ part: Int, timeout: Duration) throws(FileError)

  /// Whether another `FileLock` of the same file holds a lock.
  func isHeldElsewhere(_ part: Int) throws(FileError) -> Bool

  /// Releases a lock.
  func release(_ part: Int)
}

extension FileLock {
  /// The number of independent locks in one file.
  public static var partCount: Int { 8 }

  /// Acquires the file's first lock, with a timeout of five seconds.
  public func acquire() throws(FileError) { try acquire(0, timeout: .seconds(5)) }

  /// Releases the file's first lock.
  public func release() { release(0) }
}
