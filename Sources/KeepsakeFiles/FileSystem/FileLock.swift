/// A kernel lock between processes, in a file of that purpose alone.
///
/// One file has ``partCount`` locks that are independent of each other. The kernel releases a lock
/// when its process dies. The threads that share one `FileLock` wait for each other, too.
public protocol FileLock: AnyObject, Sendable {
  /// Counts as a user of the file from now on, for ``hasOtherUsers``.
  func announceUser() throws(FileError)

  /// Whether another `FileLock` of the same file has announced a user, in this process or another.
  var hasOtherUsers: Bool { get throws(FileError) }

  /// Acquires one of the file's locks, in the file that has the path now.
  ///
  /// - Parameters:
  ///   - part: Which lock, below ``partCount``.
  ///   - timeout: How long to wait for another process.
  /// - Throws: ``FileError`` with `resourceBusy` and the holder where time is up; it is then not held.
  func acquire(_ part: Int, timeout: Duration) throws(FileError)

  /// Whether another `FileLock` of the same file holds a lock.
  func isHeldElsewhere(_ part: Int) throws(FileError) -> Bool

  /// Releases a lock that is held.
  func release(_ part: Int)
}

extension FileLock {
  /// How many independent locks one file has.
  public static var partCount: Int { 8 }

  /// Acquires the file's first lock, waiting at most five seconds.
  public func acquire() throws(FileError) { try acquire(0, timeout: .seconds(5)) }

  /// Releases the file's first lock.
  public func release() { release(0) }
}
