#if Etcd
// The requests of etcd's v3 API that are used, with the names that etcd's `rpc.proto` gives them. What is nil is
// not sent, and stands for zero or nothing there.

struct RangeRequest: Encodable {
  var key: Base64Bytes
  var range_end: Base64Bytes?
  var limit: DecimalText?
  var revision: DecimalText?
}

struct PutRequest: Encodable {
  var key: Base64Bytes
  var value: Base64Bytes
}

struct DeleteRangeRequest: Encodable {
  var key: Base64Bytes
}

struct Compare: Encodable {
  enum Target: String, Encodable {
    case create = "CREATE"
    case mod = "MOD"
    case value = "VALUE"
  }

  var key: Base64Bytes
  var target: Target
  var create_revision: DecimalText?
  var mod_revision: DecimalText?
  var value: Base64Bytes?
}

/// One of them is not nil.
struct RequestOp: Encodable {
  var request_range: RangeRequest?
  var request_put: PutRequest?
  var request_delete_range: DeleteRangeRequest?
}

struct TxnRequest: Encodable {
  var compare: [Compare]
  var success: [RequestOp]
  var failure: [RequestOp]
}

struct WatchRequest: Encodable {
  struct Create: Encodable {
    var key: Base64Bytes
    var range_end: Base64Bytes
    var start_revision: DecimalText
    var fragment: Bool
  }

  var create_request: Create
}

struct AuthenticateRequest: Encodable {
  var name: String
  var password: String
}
#endif
