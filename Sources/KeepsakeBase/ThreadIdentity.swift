/// What tells the threads of a process apart while they run.
package enum ThreadIdentity {
  /// The calling thread's, never 0.
  @inlinable
  package static var current: UInt {
    // An integer on some platforms, and on others a pointer.
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
  }
}
