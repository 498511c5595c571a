#if Etcd
import AsyncHTTPClient
import KeepsakeBase
import KeepsakeCoding
import KeepsakeSync
import NIOCore
import NIOHTTP1
import NIOSSL

/// The JSON gateway of an etcd cluster: asks one member until it fails, then the next.
final class EtcdGateway: Sendable {
  private struct State {
    /// Which of the endpoints is asked.
    var member = 0
    /// Whether the cluster was asked for a token.
    var isAuthenticated = false
    /// What the requests show; nil where the cluster has authentication off.
    var token: String?
  }

  /// A member must not be used, or is something else.
  private struct UnusableMember: Error {
    let reason: String
    /// Whether the request was not sent.
    let isUnasked: Bool
  }

  private let endpoints: [EtcdEndpoint]
  private let credentials: EtcdCluster.Credentials?
  private let client: HTTPClient
  private let state = Mutex(State())

  /// - Throws: `rejected` if a certificate cannot be read, or is given where an endpoint is without TLS; if an endpoint is
  ///   not an address, or there is none.
  init(_ cluster: EtcdCluster) throws(SyncError) {
    guard !cluster.endpoints.isEmpty else {
      throw .rejected("No endpoint of the cluster is named.")
    }
    var endpoints: [EtcdEndpoint] = []
    for endpoint in cluster.endpoints { endpoints.append(try EtcdEndpoint(endpoint)) }
    if cluster.authorities != nil || cluster.identity != nil,
      let plain = endpoints.first(where: { !$0.hasTLS })
    {
      throw .rejected("Certificates are given, and the endpoint \(plain.address) is without TLS.")
    }
    self.endpoints = endpoints
    credentials = cluster.credentials
    var configuration = HTTPClient.Configuration()
    // Over HTTP/2, which TLS would negotiate, etcd ends connections that it pings without an answer.
    configuration.httpVersion = .http1Only
    configuration.redirectConfiguration = .disallow
    // It may take long to resolve a name. A request that is given up leaves a member that is silent.
    configuration.timeout.connect = .seconds(10)
    // Another member is asked instead.
    configuration.connectionPool.retryConnectionEstablishment = false
    var security = TLSConfiguration.makeClientConfiguration()
    if let authorities = cluster.authorities {
      do {
        security.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
      } catch {
        throw .rejected("The certificates \(authorities) cannot be read: \(error)")
      }
    }
    if let (certificate, key) = cluster.identity {
      do {
        security.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate)
          .map { .certificate($0) }
        security.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
      } catch {
        throw .rejected(
          "The certificate \(certificate) with the key \(key) cannot be read: \(error)")
      }
    }
    configuration.tlsConfiguration = security
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  deinit {
    // It must be shut down before it is released, and nobody waits for that.
    client.shutdown { _ in }
  }

  /// Sends a request, and decodes the answer.
  func answer<Answer: Decodable>(
    to request: some Encodable & Sendable, at path: String, as type: Answer.Type
  ) async throws(SyncError) -> Answer {
    try await withResponse(to: request, at: path) { response throws(SyncError) in
      try await response.decoded(as: type)
    }
  }

  /// The same; nil if the answer has more bytes than a limit, and is not read further.
  func answer<Answer: Decodable>(
    to request: some Encodable & Sendable, at path: String, as type: Answer.Type, atMost limit: Int
  ) async throws(SyncError) -> Answer? {
    try await withResponse(to: request, at: path) { response throws(SyncError) in
      try await response.decoded(as: type, atMost: limit)
    }
  }

  /// Sends a request, and hands over each message of the answer, until it ends.
  func stream(
    to request: some Encodable & Sendable, at path: String,
    _ receive: (WatchResponse) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    try await withResponse(to: request, at: path) { response throws(SyncError) in
      try await response.forEachLine(as: StreamMessage.self) { message throws(SyncError) in
        if let error = message.error { throw error.syncError(of: response.address) }
        if let result = message.result { try await receive(result) }
      }
    }
  }

  private func withResponse<Result>(
    to request: some Encodable & Sendable, at path: String,
    _ use: (MemberResponse) async throws(SyncError) -> Result
  ) async throws(SyncError) -> Result {
    var (asked, rejection, isUnasked): (Set<Int>, SyncError?, Bool) = ([], nil, true)
    while let member = next(except: asked) {
      asked.insert(member)
      do {
        let response = try await send(request, at: path, to: member)
        return try await use(response)
      } catch let error as UnusableMember {
        leave(member)
        rejection = rejection ?? .rejected(error.reason)
        isUnasked = isUnasked && error.isUnasked
      } catch {
        let error = error as? SyncError ?? .unreachable("\(error)")
        if case .unreachable = error { leave(member) }
        if !isUnasked, case .rejected(let text) = error { throw .unreachable(text) }
        throw error
      }
    }
    throw rejection ?? .unreachable("No member was asked.")
  }

  /// The member that is to be asked now.
  private func next(except asked: Set<Int>) -> Int? {
    let (first, count) = (state.withLock { $0.member }, endpoints.count)
    return (first..<first + count).lazy.map { $0 % count }.first { !asked.contains($0) }
  }

  /// Makes the next requests ask another member, unless they do already.
  private func leave(_ member: Int) {
    state.withLock {
      if $0.member == member { $0.member = (member + 1) % endpoints.count }
    }
  }

  /// Sends a request to a member, with a token that the cluster knows.
  private func send(
    _ request: some Encodable & Sendable, at path: String, to member: Int
  ) async throws -> MemberResponse {
    guard let credentials else {
      return try await checked(post(request, at: path, to: member, token: nil))
    }
    let (isAuthenticated, known) = state.withLock { ($0.isAuthenticated, $0.token) }
    if isAuthenticated {
      let response = try await post(request, at: path, to: member, token: known)
      guard let error = try await response.error() else { return response }
      guard error.isUnauthenticated else { throw error.syncError(of: response.address) }
    }
    let token = try await authenticate(credentials, at: member)
    state.withLock { ($0.isAuthenticated, $0.token) = (true, token) }
    return try await checked(post(request, at: path, to: member, token: token))
  }

  /// Returns a new token; nil if the cluster has authentication off.
  private func authenticate(
    _ credentials: EtcdCluster.Credentials, at member: Int
  ) async throws -> String? {
    let request = AuthenticateRequest(name: credentials.user, password: credentials.password)
    let path = "/v3/auth/authenticate"
    let response = try await post(request, at: path, to: member, token: nil)
    if let error = try await response.error() {
      if error.meansNoAuthentication { return nil }
      throw error.syncError(of: response.address)
    }
    return try await response.decoded(as: AuthenticateResponse.self).token
  }

  private func checked(_ response: MemberResponse) async throws -> MemberResponse {
    try await response.check()
    return response
  }

  private func post(
    _ request: some Encodable, at path: String, to member: Int, token: String?
  ) async throws -> MemberResponse {
    let address = endpoints[member].address
    var message = HTTPClientRequest(url: address + path)
    message.method = .POST
    message.headers.add(name: "content-type", value: "application/json")
    if let token { message.headers.add(name: "authorization", value: token) }
    message.body = .bytes(ByteBuffer(bytes: try JSON.Encoder().encodeToBytes(request)))
    let response: HTTPClientResponse
    do {
      // Who asks ends the request where it takes too long.
      response = try await client.execute(message, deadline: .distantFuture)
    } catch {
      if Self.isDistrust(error) {
        throw UnusableMember(
          reason: "\(address) \(Self.reason(of: error)): \(error)",
          isUnasked: Self.isHandshake(error))
      }
      throw SyncError(connectionTo: address, error)
    }
    // What redirects is another server, or is asked at another path than its own.
    guard response.status != .notFound, !(300..<400).contains(response.status.code) else {
      throw UnusableMember(
        reason: "The answer of \(address) is not that of etcd 3.4.17 or later: \(response.status)",
        isUnasked: true)
    }
    return MemberResponse(response, from: address)
  }

  /// Whether one side does not accept the other's certificate; what only ends while they greet each other may be
  /// starting or stopping.
  private static func isDistrust(_ error: any Error) -> Bool {
    switch error {
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): false
    case NIOSSLError.handshakeFailed, NIOSSLError.unableToValidateCertificate,
      is NIOSSLExtraError:
      true
    // In TLS 1.3 the other side refuses a certificate after they have greeted each other.
    case is BoringSSLError:
      ["CERTIFICATE", "UNKNOWN_CA", "ACCESS_DENIED"].contains { "\(error)".contains($0) }
    default: false
    }
  }

  private static func reason(of error: any Error) -> String {
    let text = "\(error)"
    let alerts = ["CERTIFICATE", "UNKNOWN_CA", "ACCESS"]
    if text.contains("CERTIFICATE_REQUIRED")
      || text.contains("ALERT") && alerts.contains(where: text.contains)
    {
      return "does not accept this client's certificate (the cluster's `identity`), or asks for one"
    }
    return text.contains("WRONG_VERSION_NUMBER") ? "does not use TLS" : "cannot be trusted"
  }

  private static func isHandshake(_ error: any Error) -> Bool {
    if case NIOSSLError.handshakeFailed = error { true } else { error is NIOSSLExtraError }
  }
}
#endif
