/// Identifies a thread of this process while it runs.
package enum ThreadIdentity {
  /// The identifier of the calling thread; never 0.
  @inlinable
  package static var current: UInt {
    // An integer on some platforms, a pointer on others.
    withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) }
  }
}
