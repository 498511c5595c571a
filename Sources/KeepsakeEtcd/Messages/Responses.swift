#if Etcd
// The answers of etcd's v3 API that are used, with the names that etcd's `rpc.proto` gives them. What is zero or
// empty is not sent.

struct ResponseHeader: Decodable {
  var cluster_id: DecimalText?
  var revision: DecimalText?
}

struct KeyValue: Decodable {
  var key: Base64Bytes
  var mod_revision: DecimalText?
  /// How often it was put since it was last removed.
  var version: DecimalText?
  var value: Base64Bytes?
}

struct RangeResponse: Decodable {
  var header: ResponseHeader?
  var kvs: [KeyValue]?
  var more: Bool?
}

struct TxnResponse: Decodable {
  /// The answer to one operation; nil where it was not to read.
  struct Operation: Decodable {
    var response_range: RangeResponse?
  }

  var header: ResponseHeader
  var succeeded: Bool?
  var responses: [Operation]?
}

struct WatchResponse: Decodable {
  struct Event: Decodable {
    var type: String?
    var kv: KeyValue
  }

  var header: ResponseHeader?
  var created: Bool?
  var canceled: Bool?
  var cancel_reason: String?
  var compact_revision: DecimalText?
  /// Whether the next message goes on with what this one has.
  var fragment: Bool?
  var events: [Event]?
}

/// One message of a stream.
struct StreamMessage: Decodable {
  var result: WatchResponse?
  var error: GatewayError?
}

struct AuthenticateResponse: Decodable {
  var token: String
}

/// Why the gateway did not do what it was asked for.
struct GatewayError: Decodable {
  var message: String?
  /// One of <https://grpc.io/docs/guides/status-codes/>.
  var code: Int?
  var grpc_code: Int?
}
#endif
