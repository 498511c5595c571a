import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// etcd's own put and watch, through the same gateway and the same HTTP client as Keepsake's.
struct EtcdClient: Sendable {
  let endpoint: String

  func put(_ value: String, at key: String) async throws {
    let body =
      #"{"key":"\#(Data(key.utf8).base64EncodedString())","value":"\#(Data(value.utf8).base64EncodedString())"}"#
    let response = try await post("kv/put", body)
    _ = try await response.body.collect(upTo: 1 << 20)
  }

  /// Reports each event of a key, from when the watch is there, which is reported first.
  func watch(_ key: String, _ receive: (String) -> Void) async throws {
    let body = #"{"create_request":{"key":"\#(Data(key.utf8).base64EncodedString())"}}"#
    let response = try await post("watch", body)
    for try await chunk in response.body { receive(String(buffer: chunk)) }
  }

  private func post(_ path: String, _ body: String) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: "\(endpoint)/v3/\(path)")
    request.method = .POST
    request.body = .bytes(ByteBuffer(string: body))
    let response = try await HTTPClient.shared.execute(request, timeout: .hours(1))
    guard response.status == .ok else { throw CocoaError(.featureUnsupported) }
    return response
  }
}
