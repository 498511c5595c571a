import Foundation
import KeepsakeTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

#if canImport(Darwin)
private let noSignal: CInt = 0
#else
private let noSignal = CInt(MSG_NOSIGNAL)
#endif
private let sendBytes = send

/// A server of HTTP/1.1 that answers as a test says, in place of etcd's gateway.
final class ScriptedGateway: Sendable {
  struct Request: Sendable {
    let path: String
    let body: String
  }

  struct Response: Sendable {
    var status = 200
    let body: String
  }

  private let descriptor: CInt
  let endpoint: String

  /// - Parameter answer: Returns the answer to a request; it is called for one request at a time.
  init(_ answer: @escaping @Sendable (Request) -> Response) throws {
    let (descriptor, port) = try listenOnLoopback()
    self.descriptor = descriptor
    endpoint = "http://127.0.0.1:\(port)"
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { break }
        Self.serve(connection, answer)
        _ = close(connection)
      }
      // Here, since another file may have the number as soon as it is free.
      _ = close(descriptor)
    }
  }

  deinit { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

  private static func serve(_ connection: CInt, _ answer: (Request) -> Response) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let request = received(in: bytes) { return write(answer(request), to: connection) }
      let count = chunk.withUnsafeMutableBytes { recv(connection, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return }
      bytes += chunk.prefix(count)
    }
  }

  /// The request that has arrived; nil while a part of it has not.
  private static func received(in bytes: [UInt8]) -> Request? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    let words = lines[0].components(separatedBy: " ")
    let body = text[end.upperBound...]
    let name = "content-length:"
    let length = lines.first { $0.lowercased().hasPrefix(name) }.flatMap { line in
      Int(line.dropFirst(name.count).trimmingCharacters(in: .whitespaces))
    }
    guard words.count == 3, body.utf8.count >= length ?? 0 else { return nil }
    return Request(path: words[1], body: String(body))
  }

  private static func write(_ response: Response, to connection: CInt) {
    let head = """
      HTTP/1.1 \(response.status) Scripted\r
      content-type: application/json\r
      content-length: \(response.body.utf8.count)\r
      connection: close\r
      \r

      """
    let bytes = Array((head + response.body).utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        sendBytes(connection, $0.baseAddress, $0.count, noSignal)
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
