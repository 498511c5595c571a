#if Etcd
import KeepsakeSync

extension GatewayError {
  /// Whether the token of an earlier authentication is no longer known, or older than a change of users and roles, or
  /// there was none, and the cluster needs one now.
  var isUnauthenticated: Bool {
    (code ?? grpc_code) == 16
      || [
        "etcdserver: revision of auth store is old", "auth: revision in header is old",
        "etcdserver: user name is empty",
      ].contains(message)
  }

  /// Whether the cluster needs no tokens, and so gives none.
  var meansNoAuthentication: Bool { message == "etcdserver: authentication is not enabled" }

  /// - Parameter address: That of the member that had it.
  func syncError(of address: String) -> SyncError {
    let text = "\(address): \(message ?? "etcd gave no reason")"
    switch code ?? grpc_code {
    case 11 where text.contains("compacted"): return .compacted
    // The member has too much to do.
    case 8 where text.contains("too many requests"): return .unreachable(text)
    // Invalid, denied, too large or out of space, not implemented, not authenticated.
    case 3, 7, 8, 12, 16: return .rejected(text)
    default: return .unreachable(text)
    }
  }
}

extension SyncError {
  /// Whether the cluster's database is as large as it may be.
  var isOutOfSpace: Bool {
    if case .rejected(let text) = self { text.hasSuffix("database space exceeded") } else { false }
  }
}
#endif
