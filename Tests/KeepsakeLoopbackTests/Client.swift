#if Console
import Dispatch
import KeepsakeBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(Darwin)
private let noSignal: Int32 = 0
#else
private let noSignal = Int32(MSG_NOSIGNAL)
#endif
private let sendBytes = send

/// A bare connection to this machine, for what no browser would let a page send.
///
/// The calls wait, but not on the threads of Swift's tasks, of which there may be only two.
struct Client: Sendable {
  private let descriptor: Int32

  /// The connection failed, or was closed by the server.
  struct Closed: Error {}

  /// Connects to a port.
  ///
  /// - Parameter seconds: How long to wait for what is received.
  init(port: UInt16, seconds: Int = 240) throws {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if descriptor < 0 || code != 0 { throw Closed() }
  }

  func close() {
    #if canImport(Glibc)
    _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
    _ = Musl.close(descriptor)
    #else
    _ = Darwin.close(descriptor)
    #endif
  }

  /// Sends bytes.
  ///
  /// - Throws: ``Closed`` if the server does not receive all of them.
  func send(_ bytes: [UInt8]) async throws {
    try await waiting {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          sendBytes(
            descriptor, $0.baseAddress! + sent, bytes.count - sent, noSignal)
        }
        if count <= 0 { throw Closed() }
        sent += count
      }
    }
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Sends nothing more.
  func finish() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// The bytes received until there are enough, or the server has closed the connection.
  func receive(atLeast least: Int = .max) async throws -> [UInt8] {
    try await waiting {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while bytes.count < least {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count == 0 { break }
        if count < 0 {
          // A server that closed with bytes unread resets the connection.
          if errno == ECONNRESET { break }
          throw Closed()
        }
        bytes += buffer[..<count]
      }
      return bytes
    }
  }

  /// The response to a request, until the connection is closed.
  func response() async throws -> String {
    String(decoding: try await receive(), as: UTF8.self)
  }

  private func waiting<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: .init(catching: body)) }
    }
  }
}
#endif
