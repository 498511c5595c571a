#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import SystemPackage

/// A port of this machine where connections are accepted, by the kernel, and nobody answers.
final class SilentServer {
  private let descriptor: CInt
  let port: Int

  init() throws {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    self.descriptor = descriptor
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) | listen(descriptor, 8)
          | getsockname(descriptor, pointer, &length)
      }
    }
    guard code == 0 else { throw Errno(rawValue: errno) }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { _ = close(descriptor) }
}
