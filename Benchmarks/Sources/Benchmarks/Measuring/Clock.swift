import Glibc

/// What time is measured by.
enum Clock {
  /// The time that passes; what waits for a disk or for another process is measured by it.
  case wall
  /// The time that the processor spends on this thread: what else the machine does is left out.
  case thread

  /// Seconds since some moment.
  var now: Double {
    var time = timespec()
    clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Nanoseconds of the clock that all processes of a machine share.
  static var sharedNanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The seconds that each of a number of operations takes.
  ///
  /// - Parameter body: Given another number each time it is called in this process.
  @inline(__always)
  func time(of count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    let numbers = Numbers.take(count)
    let start = now
    for number in numbers { try body(number) }
    return (now - start) / Double(count)
  }
}
