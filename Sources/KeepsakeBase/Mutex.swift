// Mutexes and atomics come with this module, so that one place chooses the mutex.
@_exported public import Synchronization

#if KEEPSAKE_PTHREAD_MUTEX
/// The standard library's `Mutex` in terms of `pthread_mutex_t`, for ThreadSanitizer.
///
/// The sanitizer does not see the futex that the standard library's type is made of on Linux, and
/// would report everything that it guards. `Scripts/test tsan` compiles with this one.
///
/// `@unchecked`: the value is reached only between `pthread_mutex_lock` and `pthread_mutex_unlock`,
/// and enters and leaves as `sending`, like that of the standard library's type.
@usableFromInline
package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

  @usableFromInline
  package init(_ initialValue: consuming sending Value) {
    pthread_mutex_init(lock, nil)
    value.initialize(to: initialValue)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  @usableFromInline
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }

  @usableFromInline
  package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard pthread_mutex_trylock(lock) == 0 else { return nil }
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
#endif
