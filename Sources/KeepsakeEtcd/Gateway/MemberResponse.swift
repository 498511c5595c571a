#if Etcd
import AsyncHTTPClient
import KeepsakeCoding
import KeepsakeSync
import NIOCore
import NIOHTTP1

/// What a member of a cluster answers to a request; its errors say which member it is.
struct MemberResponse {
  let address: String
  private let response: HTTPClientResponse

  init(_ response: HTTPClientResponse, from address: String) {
    self.response = response
    self.address = address
  }

  var status: HTTPResponseStatus { response.status }

  /// Why the member did not do what it was asked for; nil if it did.
  func error() async throws(SyncError) -> GatewayError? {
    status == .ok ? nil : try await decoded(as: GatewayError.self)
  }

  /// - Throws: ``error()``, if there is one.
  func check() async throws(SyncError) {
    if let error = try await error() { throw error.syncError(of: address) }
  }

  func decoded<Value: Decodable>(as type: Value.Type) async throws(SyncError) -> Value {
    try decode(type, from: await bytes(atMost: .max) ?? [])
  }

  /// The same; nil if it has more bytes than a limit, and is not read further.
  func decoded<Value: Decodable>(
    as type: Value.Type, atMost limit: Int
  ) async throws(SyncError) -> Value? {
    guard let bytes = try await bytes(atMost: limit) else { return nil }
    return try decode(type, from: bytes)
  }

  private func bytes(atMost limit: Int) async throws(SyncError) -> [UInt8]? {
    var bytes: [UInt8] = []
    try await forEachChunk { chunk in
      bytes += chunk.readableBytesView
      return bytes.count <= limit
    }
    return bytes.count <= limit ? bytes : nil
  }

  /// Hands over each line, until the answer ends.
  func forEachLine<Line: Decodable>(
    as type: Line.Type, _ receive: (Line) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    var unread: [UInt8] = []
    try await forEachChunk { chunk throws(SyncError) in
      unread += chunk.readableBytesView
      // Nothing of what was searched before has the end of a line.
      var searched = unread.count - chunk.readableBytes
      while let end = unread[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = try decode(type, from: Array(unread[..<end]))
        unread.removeSubrange(...end)
        searched = 0
        try await receive(line)
      }
      return true
    }
  }

  /// - Parameter receive: Returns whether the next one is to be read, too.
  private func forEachChunk(
    _ receive: (NIOCore.ByteBuffer) async throws(SyncError) -> Bool
  ) async throws(SyncError) {
    do {
      for try await chunk in response.body where try await !receive(chunk) { return }
    } catch let error as SyncError {
      throw error
    } catch {
      throw SyncError(connectionTo: address, error)
    }
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(SyncError) -> Value {
    do { return try JSON.Decoder().decode(type, from: bytes) } catch {
      throw .unreachable("\(address): The answer is not that of etcd: \(error)")
    }
  }
}
#endif
