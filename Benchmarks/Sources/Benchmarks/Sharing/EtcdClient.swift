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

  /// Writes three keys at once if one of them is as it was, which is what it takes to write a value once, also where an
  /// answer is lost.
  ///
  /// - Returns: The revision of what was written.
  func replace(_ value: String, at key: String, after revision: Int) async throws -> Int {
    func text(_ string: String) -> String { Data(string.utf8).base64EncodedString() }
    func put(_ key: String, _ value: String) -> String {
      #"{"request_put":{"key":"\#(text(key))","value":"\#(text(value))"}}"#
    }
    let body = """
      {"compare":[{"key":"\(text(key + ".record"))","target":"MOD","mod_revision":"\(revision)"}],
      "success":[\(put(key + ".head", "1")),\(put(key + ".record", value)),\(put(key, value))],"failure":[]}
      """
    let response = try await post("kv/txn", body)
    let answer = try JSONSerialization.jsonObject(
      with: Data(try await response.body.collect(upTo: 1 << 20).readableBytesView))
    guard let fields = answer as? [String: Any], fields["succeeded"] as? Bool == true,
      let header = fields["header"] as? [String: String],
      let revision = header["revision"].flatMap({ Int($0) })
    else { throw CocoaError(.featureUnsupported) }
    return revision
  }

  /// Reports each event of the keys that begin with a text, from when the watch is there, which is reported first.
  func watch(prefix: String, _ receive: (String) -> Void) async throws {
    // The first key behind them.
    var end = Data(prefix.utf8)
    end[end.count - 1] += 1
    let body =
      #"{"create_request":{"key":"\#(Data(prefix.utf8).base64EncodedString())","range_end":"\#(end.base64EncodedString())"}}"#
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
