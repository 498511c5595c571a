import Dispatch

#if canImport(Darwin)
@preconcurrency import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// Has the signals that ask a program to end run what is to be done at its end, as saving is.
func endInOrder() {
  for number in [SIGINT, SIGTERM] {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    // The handler keeps the source, which would otherwise end with this function.
    source.setEventHandler {
      _ = source
      exit(0)
    }
    source.resume()
  }
}

/// Has each printed line seen at once, also where the output is a file or a pipe.
func printLinesAtOnce() {
  setvbuf(stdout, nil, _IOLBF, 0)
}

/// Has the C library return what was freed to the system, which it otherwise keeps for allocations of the
/// same thread.
func returnFreedMemory() {
  // Only glibc has the function, and its module in Swift leaves it out.
  guard let function = dlsym(nil, "malloc_trim") else { return }
  _ = unsafeBitCast(function, to: (@convention(c) (Int) -> CInt).self)(0)
}
