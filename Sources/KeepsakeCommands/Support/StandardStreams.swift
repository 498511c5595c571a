#if Commands
import KeepsakeBase
import SystemPackage

/// The three streams that each process expects to have.
enum StandardStreams {
  /// Opens what the caller closed, so that no file of an app gets the number of the standard output, and
  /// what is printed is written into it. Writing to such an output fails.
  static func reserve() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) == -1 {
      // It gets the lowest free number.
      _ = try? FileDescriptor.open("/dev/null", number == STDIN_FILENO ? .writeOnly : .readOnly)
    }
  }
}
#endif
