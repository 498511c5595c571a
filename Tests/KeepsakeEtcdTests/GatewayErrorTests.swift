import KeepsakeSync
import Testing

@testable import KeepsakeEtcd

@Suite("What etcd answers in place of an answer")
struct GatewayErrorTests {
  private func error(_ code: Int, _ message: String) -> GatewayError {
    GatewayError(message: message, code: code, grpc_code: nil)
  }

  @Test("A token is renewed when it is no longer known, or roles were changed since")
  func tokens() {
    #expect(error(16, "etcdserver: invalid auth token").isUnauthenticated)
    #expect(error(3, "etcdserver: revision of auth store is old").isUnauthenticated)
    #expect(error(2, "auth: revision in header is old").isUnauthenticated)
    #expect(error(3, "etcdserver: user name is empty").isUnauthenticated)
    #expect(!error(7, "etcdserver: permission denied").isUnauthenticated)
  }

  @Test("What passes is asked for again, and what does not is rejected")
  func kinds() {
    let address = "http://127.0.0.1:2379"
    let busy = "etcdserver: too many requests"
    #expect(error(8, busy).syncError(of: address) == .unreachable("\(address): \(busy)"))
    let full = "etcdserver: mvcc: database space exceeded"
    #expect(error(8, full).syncError(of: address) == .rejected("\(address): \(full)"))
    let old = "etcdserver: mvcc: required revision has been compacted"
    #expect(error(11, old).syncError(of: address) == .compacted)
  }
}
