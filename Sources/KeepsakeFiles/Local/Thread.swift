#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a body on a new thread, which blocks nothing but itself.
///
/// - Returns: Whether there could be one more thread; otherwise the body is not run.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let retained = Unmanaged.passRetained(Box(body))
  let box = retained.toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
      Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }
    if pthread_create(&thread, nil, run, box) == 0, let thread {
      pthread_detach(thread)
      return true
    }
  #else
    var thread = pthread_t()
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
      return nil
    }
    if pthread_create(&thread, nil, run, box) == 0 {
      pthread_detach(thread)
      return true
    }
  #endif
  retained.release()
  return false
}
