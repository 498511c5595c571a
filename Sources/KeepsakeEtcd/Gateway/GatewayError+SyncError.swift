#if Etcd
import KeepsakeSync

extension GatewayError {
  /// Whether the token of an earlier authentication is no longer known.
  var isUnauthenticated: Bool { (code ?? grpc_code) == 16 }

  var syncError: SyncError {
    let text = message ?? "etcd gave no reason."
    switch code ?? grpc_code {
    case 11 where text.contains("compacted"): return .compacted
    // Invalid, denied, too large or out of space, not implemented, not authenticated.
    case 3, 7, 8, 12, 16: return .rejected(text)
    default: return .unreachable(text)
    }
  }
}
#endif
