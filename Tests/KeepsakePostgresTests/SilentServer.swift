import KeepsakeTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A port of this machine where connections are accepted, by the kernel, and nobody answers.
final class SilentServer {
  private let descriptor: CInt
  let port: Int

  init() throws { (descriptor, port) = try listenOnLoopback() }

  deinit { _ = close(descriptor) }
}
