#if Postgres
import CPostgres
import KeepsakeBase
import KeepsakeSync

/// The URI of a database, whose password no text shows.
struct ConnectionURI: Sendable {
  private let text: String
  /// What no text may contain.
  private let secrets: [String]
  /// The lists of hosts, of their addresses and of their ports, as far as it has them.
  private let lists: [(keyword: String, elements: [String])]
  /// Whether only a host is used that takes commits: unless the URI says which are.
  let needsCommits: Bool

  /// - Throws: `rejected` if it is not a URI of libpq's, without showing any of it.
  init(_ text: String) throws(SyncError) {
    guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else {
      throw .rejected("The database's URI must begin with postgresql://.")
    }
    // A password that is cut at one of these would be taken for a port or a database, which errors show.
    let rest = text.dropFirst(scheme.count)
    let host = rest.prefix { !"/?#".contains($0) }
    let isSingle = rest.filter { $0 == "@" }.count <= 1
    guard isSingle, host.contains("@") || !rest.contains("@") else {
      throw .rejected(
        "In the database's URI, / ? # and @ in a name or password must be percent-encoded.")
    }
    guard !text.utf8.contains(0), let options = PQconninfoParse(text, nil) else {
      throw .rejected("The database's URI is malformed.")
    }
    defer { PQconninfoFree(options) }
    var secrets: [String] = []
    var lists: [(keyword: String, elements: [String])] = []
    var needsCommits = true
    var option = options
    while let keyword = option.pointee.keyword.map({ String(cString: $0) }) {
      let value = option.pointee.val.map { String(cString: $0) } ?? ""
      option += 1
      if value.isEmpty { continue }
      if keyword == "target_session_attrs" { needsCommits = value == "read-write" }
      if ["password", "sslpassword"].contains(keyword) { secrets.append(value) }
      if ["host", "hostaddr", "port"].contains(keyword) {
        let elements = value.split(separator: ",", omittingEmptySubsequences: false)
        // Errors show it, and it would be a password where the host was forgotten.
        guard keyword != "port" || elements.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
          throw .rejected("The port in the database's URI is not a number.")
        }
        lists.append((keyword, elements.map(String.init)))
      }
    }
    self.text = text
    self.secrets = secrets
    self.lists = lists
    self.needsCommits = needsCommits
  }

  /// The failure without what is secret.
  func redact(_ failure: PostgresFailure) -> PostgresFailure {
    switch failure {
    case .refused(let state, let text): .refused(state: state, text: redact(text))
    case .lost(let text): .lost(redact(text))
    case .unusable(let text): .unusable(redact(text))
    }
  }

  private func redact(_ text: String) -> String {
    secrets.reduce(text) {
      $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: "***")
    }
  }

  /// The parameters of `PQconnectStartParams`: keywords and their values.
  ///
  /// This waits for the names of hosts to be resolved.
  ///
  /// - Parameter first: Which of the hosts' addresses is tried first: where one does not answer, libpq tries no other.
  func withParameters<Result>(
    first: Int,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    var parameters = [
      // Of several hosts the one that takes commits, unless the URI says otherwise.
      ("target_session_attrs", "read-write"),
      ("fallback_application_name", "keepsake"),
      // libpq expands a URI here, with what it says.
      ("dbname", text),
      ("client_encoding", "UTF8"),
    ]
    for (keyword, elements) in addressLists() where elements.count > 1 {
      let index = first % elements.count
      let list = elements[index...] + elements[..<index]
      parameters.append((keyword, list.joined(separator: ",")))
    }
    let keywords = parameters.map { strdup($0.0) } + [nil]
    let values = parameters.map { strdup($0.1) } + [nil]
    defer { for pointer in keywords + values { free(pointer) } }
    return body(keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) })
  }

  /// The lists, where a host with several addresses is there with each of them.
  ///
  /// - Parameter addresses: Returns those of a name; none if they are not known.
  func addressLists(
    _ addresses: (String) -> [String] = addresses(of:)
  ) -> [(keyword: String, elements: [String])] {
    func list(_ keyword: String) -> [String]? { lists.first { $0.keyword == keyword }?.elements }
    guard let hosts = list("host"), list("hostaddr") == nil else { return lists }
    let ports = list("port")
    if let ports, ports.count > 1, ports.count != hosts.count { return lists }
    let found = hosts.map { host in
      // Others are sockets of this machine.
      let isName = host.first.map { !"/@".contains($0) } ?? false
      let addresses = isName ? addresses(host) : []
      return addresses.isEmpty ? [""] : addresses
    }
    if found.allSatisfy({ $0.count == 1 }) { return lists }
    func repeated(_ elements: [String]) -> [String] {
      zip(elements, found).flatMap { Array(repeating: $0, count: $1.count) }
    }
    let all = [("host", repeated(hosts)), ("hostaddr", found.flatMap(\.self))]
    return all + (ports.map { [("port", $0.count > 1 ? repeated($0) : $0)] } ?? [])
  }

  private static func addresses(of name: String) -> [String] {
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, nil, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var (found, entry): ([String], UnsafeMutablePointer<addrinfo>?) = ([], list)
    while let info = entry?.pointee {
      entry = info.ai_next
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let result = getnameinfo(
        info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
      let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let address = String(decoding: bytes, as: UTF8.self)
      // Each is there once for each kind of socket.
      if result == 0, !found.contains(address) { found.append(address) }
    }
    return found
  }
}
#endif
