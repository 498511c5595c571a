#if Etcd
import AsyncHTTPClient
import KeepsakeBase
import KeepsakeCoding
import KeepsakeSync
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SystemPackage

/// The JSON gateway of an etcd cluster: asks one member until it fails, then the next.
final class EtcdGateway: Sendable {
  private struct State {
    /// Which of the endpoints is asked.
    var member = 0
    /// What the requests show, where the cluster has authentication on.
    var token: String?
  }

  /// A member must not be used, or is something else.
  private struct UnusableMember: Error {
    let reason: String
    /// Whether the request was not sent.
    let isUnasked: Bool
  }

  private let cluster: EtcdCluster
  private let client: HTTPClient
  private let state = Mutex(State())

  /// - Throws: `rejected` if a certificate cannot be read, or an endpoint is not an address, or there is none.
  init(_ cluster: EtcdCluster) throws(SyncError) {
    guard !cluster.endpoints.isEmpty else {
      throw .rejected("No endpoint of the cluster is named.")
    }
    for endpoint in cluster.endpoints {
      let isAddress = ["http://", "https://"].contains { scheme in
        endpoint.lowercased().hasPrefix(scheme) && endpoint.utf8.count > scheme.utf8.count
      }
      if !isAddress {
        throw .rejected(
          "The endpoint '\(endpoint)' is not an address such as http://127.0.0.1:2379.")
      }
    }
    self.cluster = cluster
    var configuration = HTTPClient.Configuration()
    // Over HTTP/2, which TLS would negotiate, etcd ends connections that it pings without an answer.
    configuration.httpVersion = .http1Only
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = .seconds(2)
    // Another member is asked instead.
    configuration.connectionPool.retryConnectionEstablishment = false
    var security = TLSConfiguration.makeClientConfiguration()
    if let authorities = cluster.authorities { security.trustRoots = .file(authorities) }
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
      try Self.decode(type, from: try await Self.bytes(of: response))
    }
  }

  /// Sends a request, and hands over each line of the answer, until it ends.
  func stream(
    to request: some Encodable & Sendable, at path: String,
    _ receive: (StreamMessage) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    try await withResponse(to: request, at: path) { response throws(SyncError) in
      var unread: [UInt8] = []
      try await Self.forEachChunk(of: response) { chunk throws(SyncError) in
        unread += chunk.readableBytesView
        // Nothing of what was searched before has the end of a line.
        var searched = unread.count - chunk.readableBytes
        while let end = unread[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          let message = try Self.decode(StreamMessage.self, from: Array(unread[..<end]))
          unread.removeSubrange(...end)
          searched = 0
          try await receive(message)
        }
      }
    }
  }

  private func withResponse<Result>(
    to request: some Encodable & Sendable, at path: String,
    _ use: (HTTPClientResponse) async throws(SyncError) -> Result
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
    let (first, count) = (state.withLock { $0.member }, cluster.endpoints.count)
    return (first..<first + count).lazy.map { $0 % count }.first { !asked.contains($0) }
  }

  /// Has the next requests ask another member, unless they do already.
  private func leave(_ member: Int) {
    state.withLock {
      if $0.member == member { $0.member = (member + 1) % cluster.endpoints.count }
    }
  }

  /// Sends a request to a member, with a token that the cluster knows.
  private func send(
    _ request: some Encodable & Sendable, at path: String, to member: Int
  ) async throws -> HTTPClientResponse {
    guard let credentials = cluster.credentials else {
      let response = try await post(request, at: path, to: member, token: nil)
      guard response.status == .ok else { throw try await Self.error(of: response).syncError }
      return response
    }
    let known = state.withLock { $0.token }
    if let known {
      let response = try await post(request, at: path, to: member, token: known)
      if response.status == .ok { return response }
      let error = try await Self.error(of: response)
      guard error.isUnauthenticated else { throw error.syncError }
    }
    let token = try await authenticate(credentials, at: member)
    state.withLock { $0.token = token }
    let response = try await post(request, at: path, to: member, token: token)
    guard response.status == .ok else { throw try await Self.error(of: response).syncError }
    return response
  }

  private func authenticate(
    _ credentials: EtcdCluster.Credentials, at member: Int
  ) async throws -> String {
    let request = AuthenticateRequest(name: credentials.user, password: credentials.password)
    let response = try await post(request, at: "/v3/auth/authenticate", to: member, token: nil)
    guard response.status == .ok else { throw try await Self.error(of: response).syncError }
    return try Self.decode(AuthenticateResponse.self, from: try await Self.bytes(of: response))
      .token
  }

  private func post(
    _ request: some Encodable, at path: String, to member: Int, token: String?
  ) async throws -> HTTPClientResponse {
    let address = cluster.endpoints[member]
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
          reason: "\(address) cannot be trusted: \(error)", isUnasked: Self.isHandshake(error))
      }
      throw SyncError.unreachable("\(address): \(Self.reason(of: error)).")
    }
    guard response.status != .notFound else {
      throw UnusableMember(
        reason: "The answer of \(address) is not that of etcd 3.4 or later: \(response.status)",
        isUnasked: true)
    }
    return response
  }

  /// Whether one side does not accept the other's certificate; what only ends while they greet each other may be
  /// starting or stopping.
  private static func isDistrust(_ error: any Error) -> Bool {
    switch error {
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): false
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: true
    default: false
    }
  }

  private static func isHandshake(_ error: any Error) -> Bool {
    if case NIOSSLError.handshakeFailed = error { true } else { error is NIOSSLExtraError }
  }

  /// Why a connection cannot be used, in the words of the system where it says so.
  private static func reason(of error: any Error) -> String {
    let cause = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
    guard let cause = cause as? IOError else { return "\(cause)" }
    return Errno(rawValue: cause.errnoCode).description
  }

  private static func error(
    of response: HTTPClientResponse
  ) async throws(SyncError) -> GatewayError {
    try decode(GatewayError.self, from: try await bytes(of: response))
  }

  private static func bytes(of response: HTTPClientResponse) async throws(SyncError) -> [UInt8] {
    var bytes: [UInt8] = []
    try await forEachChunk(of: response) { bytes += $0.readableBytesView }
    return bytes
  }

  private static func forEachChunk(
    of response: HTTPClientResponse, _ receive: (NIOCore.ByteBuffer) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    do {
      for try await chunk in response.body { try await receive(chunk) }
    } catch let error as SyncError {
      throw error
    } catch {
      throw .unreachable("The answer was cut: \(reason(of: error))")
    }
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(SyncError) -> Value {
    do { return try JSON.Decoder().decode(type, from: bytes) } catch {
      throw .unreachable("The answer is not that of etcd: \(error)")
    }
  }
}
#endif
