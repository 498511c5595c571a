import Foundation
import KeepsakeTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Passes on what clients and a server of this machine send, and from some number of bytes on reads nothing more of what
/// the server sends on a connection.
final class StallingProxy: Sendable {
  private let descriptor: CInt
  let port: Int

  /// - Parameters:
  ///   - server: The server's port.
  ///   - length: How many bytes of each connection it reads of the server.
  init(to server: Int, after length: Int) throws {
    let (descriptor, port) = try listenOnLoopback()
    (self.descriptor, self.port) = (descriptor, port)
    Thread.detachNewThread {
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { break }
        let server = Self.connect(to: server)
        Thread.detachNewThread { Self.pass(from: client, to: server, .max) }
        Thread.detachNewThread { Self.pass(from: server, to: client, length) }
      }
      // Here, since another file may have the number as soon as it is free.
      _ = close(descriptor)
    }
  }

  deinit { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

  private static func connect(to port: Int) -> CInt {
    #if canImport(Glibc)
    let stream = CInt(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }

  /// Ends both connections when one ends, unless it has stalled; then they stay open as long as the process.
  private static func pass(from source: CInt, to target: CInt, _ length: Int) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var passed = 0
    while passed < length {
      let count = read(source, &chunk, chunk.count)
      guard count > 0 else {
        _ = shutdown(source, CInt(SHUT_RDWR))
        _ = shutdown(target, CInt(SHUT_RDWR))
        return
      }
      passed += count
      var sent = 0
      while sent < count {
        let written = chunk[sent..<count].withUnsafeBytes {
          write(target, $0.baseAddress, $0.count)
        }
        guard written > 0 else { return }
        sent += written
      }
    }
  }
}
