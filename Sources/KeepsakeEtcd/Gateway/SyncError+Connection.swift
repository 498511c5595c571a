#if Etcd
import KeepsakeSync
import NIOCore
import NIOPosix
import NIOSSL
import SystemPackage

extension SyncError {
  /// A member could not be asked, or its answer did not arrive: why, in the words of the system where it says so.
  init(connectionTo address: String, _ error: any Error) {
    let cause = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
    let reason =
      switch cause {
      case let cause as IOError: Errno(rawValue: cause.errnoCode).description
      case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])):
        "it ended the connection while TLS was negotiated"
      default: "\(cause)"
      }
    self = .unreachable("\(address): \(reason).")
  }
}
#endif
