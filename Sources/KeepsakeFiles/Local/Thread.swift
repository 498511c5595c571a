import KeepsakeBase

/// Runs a body on a new thread, which blocks nothing but itself.
///
/// - Returns: Whether there could be one more thread; otherwise the body is not run.
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
      // Optional on some platforms, and on others not.
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
