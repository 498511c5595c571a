// This module exports mutexes and atomics, so that only this file chooses the mutex.
@_exported public import Synchronization

#if KEEPSAKE_PTHREAD_MUTEX
/// The standard library's `Mutex`, implemented with `pthread_mutex_t` for ThreadSanitizer.
///
/// On Linux the standard library's type uses a futex, which the sanitizer does not recognize: it
/// would report every access to a guarded value. `Scripts/test tsan` compiles with this type.
///
/// `@unchecked`: the value is accessed only between `pthread_mutex_lock` and `pthread_mutex_unlock`,
/// and is passed in and out as `sending`, as in the standard library's type.
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
