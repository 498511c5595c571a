package import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Opens a socket at a free port of this machine, where the kernel accepts connections.
package func listenOnLoopback() throws(Errno) -> (descriptor: CInt, port: Int) {
  #if canImport(Glibc)
  let stream = CInt(SOCK_STREAM.rawValue)
  #else
  let stream = SOCK_STREAM
  #endif
  let descriptor = socket(AF_INET, stream, 0)
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
  return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
}
