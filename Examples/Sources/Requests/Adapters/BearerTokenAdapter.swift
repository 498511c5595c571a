import HTTPTypes
import KeepsakeSecrets
import Synchronization

/// Sends the user's token to one server, and refreshes it if that does not accept it anymore.
final class BearerTokenAdapter: RequestAdapter {
  /// What a server gave the user.
  struct Tokens: Codable, Hashable, Sendable {
    /// What is sent with each request.
    var access: String
    /// What a new token is made for.
    var refresh: String

    init(access: String, refresh: String) {
      self.access = access
      self.refresh = refresh
    }
  }

  private let secrets: SecretStore
  private let name: String
  private let origin: @Sendable () throws -> String
  private let refresh: @Sendable (Tokens) async throws -> Tokens
  private let refreshing = Mutex<Task<Tokens, any Error>?>(nil)

  /// An adapter.
  ///
  /// - Parameters:
  ///   - secrets: Where the tokens are.
  ///   - name: The name of the secret.
  ///   - origin: The server that may receive them, as `https://host` with the port if it has one; no other does.
  ///   - refresh: Asks the server for new tokens. It is called once, however many requests were refused.
  init(
    _ secrets: SecretStore, name: String, for origin: @escaping @Sendable () throws -> String,
    refresh: @escaping @Sendable (Tokens) async throws -> Tokens
  ) {
    self.secrets = secrets
    self.name = name
    self.origin = origin
    self.refresh = refresh
  }

  func send(
    _ request: OutgoingRequest,
    through next: @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) async throws -> IncomingResponse {
    guard request.origin == (try origin()) else {
      return try await next(request)
    }
    let tokens = try tokens()
    let response = try await next(Self.authorize(request, tokens))
    if response.head.status != .unauthorized { return response }
    return try await next(Self.authorize(request, newTokens(after: tokens)))
  }

  private static func authorize(_ request: OutgoingRequest, _ tokens: Tokens) -> OutgoingRequest {
    var request = request
    request.head.headerFields[.authorization] = "Bearer \(tokens.access)"
    return request
  }

  private func tokens() throws -> Tokens {
    if let tokens: Tokens = try secrets.value(for: name) { return tokens }
    throw RequestError(.signInRequired, "there is no token; sign in")
  }

  /// The tokens after others were refused. A caller that is canceled does not end it for the others.
  private func newTokens(after old: Tokens) async throws -> Tokens {
    let task = refreshing.withLock { running in
      if let running { return running }
      let task = Task {
        defer { refreshing.withLock { $0 = nil } }
        // A request that was sent before the last refresh may be refused after it.
        let current = try tokens()
        if current != old { return current }
        let new = try await refresh(old)
        // Before they are used: the server may not accept the old ones anymore.
        try secrets.set(new, for: name)
        return new
      }
      running = task
      return task
    }
    return try await task.value
  }
}
