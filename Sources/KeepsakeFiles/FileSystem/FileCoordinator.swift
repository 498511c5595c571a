/// What all processes that use one set of files share: a lock, a position, a doorbell.
///
/// The threads that use one coordinator take turns on their own account; the coordinator stands
/// between them and everyone else's. The kernel knows who lives, so that a lock whose holder was
/// killed is taken over, never waited for.
public protocol FileCoordinator: AnyObject, Sendable {
  /// Whether nobody else had a coordinator of the same files when this one was opened, so that all
  /// there is to know stands in the files; true where that cannot be told.
  var cameAlone: Bool { get }

  /// Waits for the lock and takes it; it is not recursive.
  ///
  /// - Throws: ``FileError`` where the lock cannot be reached; it is then not held.
  func lock() throws(FileError)

  /// Gives the lock back.
  func unlock()

  /// How far the files have come, as last published, or `nil` where nobody can say: the holder
  /// before died with the lock, or the platform cannot share a position.
  ///
  /// Read without the lock it is a hint.
  var position: SharedPosition? { get }

  /// Tells all others how far the files have come and rings for those that wait; called with the
  /// lock held.
  ///
  /// - Parameter position: The position, or `nil` where each has to look for itself.
  func publish(_ position: SharedPosition?)

  /// Says that the next change is to be rung for; called before looking for changes, so that none
  /// falls in between.
  func armDoorbell()

  /// Calls a handler whenever another holder of the coordinator published a position.
  ///
  /// - Parameter handler: Called on a thread of the watcher's own; it arms the doorbell and then
  ///   looks how far the files have come. It is kept until another takes its place, or `nil`.
  func onDoorbell(_ handler: (@Sendable () -> Void)?) throws(FileError)
}

/// How far a set of files has come: which file is the current one, and where it ends.
public struct SharedPosition: Hashable, Sendable {
  /// Differs whenever the file was replaced by another.
  public var generation: UInt64
  /// The file's size in bytes after the last complete write.
  public var end: Int64

  /// A position in one generation of a file.
  public init(generation: UInt64, end: Int64) {
    self.generation = generation
    self.end = end
  }
}
