import FlyingSocks
import Foundation

/// A bare connection to this machine, to say what no browser would let a page say.
enum Loopback {
  /// Sends a request and returns the first line of the reply.
  static func exchange(port: UInt16, request: [UInt8]) async throws -> String {
    let socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port))
    defer { try? socket.close() }
    try await socket.write(Data(request))
    var line: [UInt8] = []
    for try await byte in socket.bytes {
      if byte == UInt8(ascii: "\r") { break }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }
}
