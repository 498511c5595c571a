import KeepsakeBase

/// Runs a closure on a new thread, which it may block.
///
/// - Returns: Whether the thread was created; otherwise the closure does not run.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let box = Unmanaged.passRetained(Box(body))
  #if canImport(Darwin) || canImport(Musl)
  var thread: pthread_t?
  #else
  var thread = pthread_t()
  #endif
  let code = pthread_create(
    &thread, nil,
    { argument in
      // Optional only on some platforms.
      let pointer: UnsafeMutableRawPointer? = argument
      Unmanaged<Box>.fromOpaque(pointer!).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  if code != 0 {
    box.release()
    return false
  }
  #if canImport(Darwin) || canImport(Musl)
  pthread_detach(thread!)
  #else
  pthread_detach(thread)
  #endif
  return true
}
