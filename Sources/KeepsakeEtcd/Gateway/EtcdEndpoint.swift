#if Etcd
import KeepsakeSync

/// The address of a member of an etcd cluster.
struct EtcdEndpoint {
  /// A scheme and a host, usually with a port, and maybe a path; without a slash at its end.
  let address: String
  let hasTLS: Bool

  /// - Throws: `rejected` if it is not an address; what may be a password is not shown.
  init(_ text: String) throws(SyncError) {
    let schemes = ["http://", "https://"]
    if text.contains("@") {
      throw .rejected("An endpoint has a user or a password, which belong into the credentials.")
    }
    var address = text[...]
    while address.last == "/" { address.removeLast() }
    let scheme = schemes.first { address.lowercased().hasPrefix($0) }
    let rest = address.dropFirst(scheme?.count ?? 0)
    // Several would be one string with commas, as etcd's own tools take them.
    let isHost = rest.first.map { $0.isLetter || $0.isNumber || $0 == "[" } ?? false
    // Behind the brackets of an address of version 6.
    let authority = rest.prefix { $0 != "/" }
    let port = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...]
      .split(separator: ":", omittingEmptySubsequences: false).dropFirst()
    let isPort = port.count <= 1 && port.allSatisfy { UInt16($0).map { $0 > 0 } ?? false }
    guard let scheme, isHost, isPort, !rest.contains(where: { ",?# \t\r\n".contains($0) }) else {
      throw .rejected("The endpoint '\(text)' is not an address such as http://127.0.0.1:2379.")
    }
    self.address = String(address)
    hasTLS = scheme == "https://"
  }
}
#endif
