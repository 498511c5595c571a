import Foundation
import KeepsakeIdentity
import KeepsakeLoopback
import KeepsakeSecrets
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Serves the app's page and the provider's to the browsers of this machine.
final class SignInServer: Sendable {
  private let provider: LocalProvider
  private let verifier: IdentityVerifier
  private let port: Port
  /// The nonces of the sign-ins that have begun, by session.
  private let sessions = Mutex<[String: SignInNonce]>([:])

  private static let sessionLimit = 1000
  private static let bodyLimit = 32 * 1024

  /// The port that is served, once it is known.
  private final class Port: Sendable {
    let number = Mutex<UInt16>(0)
  }

  /// What the page sends after a sign-in.
  private struct Callback: Decodable {
    var session: String
    var token: String
    var user: String?
  }

  /// What the page shows.
  private struct Outcome: Encodable {
    var account: String?
    var name: String?
    var email: String?
    var isNew: Bool?
    var error: String?
    var message: String?
  }

  init(provider: LocalProvider, secrets: SecretStore) {
    self.provider = provider
    let port = Port()
    self.port = port
    verifier = IdentityVerifier(
      provider: provider.identity, audiences: [LocalProvider.client], secrets: secrets
    ) { url, _ in
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)!
      parts.port = Int(port.number.withLock { $0 })
      return try await URLSession.shared.data(from: parts.url!).0
    }
  }

  /// Serves on the first port that no other program uses, until the task is canceled.
  func run(
    on ports: some Sequence<UInt16>, token: Loopback.Token,
    started: @escaping @Sendable (UInt16) async -> Void
  ) async throws {
    let server = Loopback.Server(token: token) { [self] request in route(request) }
    try await server.run(on: ports) { [port] number in
      port.number.withLock { $0 = number }
      await started(number)
    }
  }

  private func route(_ request: Loopback.Request) -> Loopback.Route? {
    switch (request.method, request.path) {
    case ("GET", "/"): file(PackageResources.signin_html, type: "html")
    case ("GET", "/signin.js"): file(PackageResources.signin_js, type: "javascript")
    case ("GET", "/page.css"): file(PackageResources.page_css, type: "css")
    case ("GET", "/provider"): file(PackageResources.provider_html, type: "html")
    case ("GET", "/provider/page.js"): file(PackageResources.provider_js, type: "javascript")
    case ("GET", "/provider/keys"):
      .open { [provider] _ in
        Loopback.Response(Array(provider.keySet.utf8), type: "application/json")
      }
    case ("POST", "/begin"): .upload(limit: 0) { [self] _ in begin() }
    case ("POST", "/callback"):
      .upload(limit: Self.bodyLimit) { [self] request in await finish(request.body) }
    case ("POST", "/provider/authorize"):
      .upload(limit: 0) { [self] request in await authorize(request) }
    case ("POST", "/provider/remove"):
      .upload(limit: 0) { [provider] _ in
        (try? provider.removeApp()) == nil
          ? Loopback.Response(status: 500) : Loopback.Response(status: 204)
      }
    default: nil
    }
  }

  // MARK: The app

  /// Begins a sign-in: the session keeps the nonce, the page receives its hash.
  private func begin() -> Loopback.Response {
    do throws(IdentityError) {
      let nonce = try verifier.issueNonce()
      let session = UUID().uuidString
      sessions.withLock { sessions in
        if sessions.count >= Self.sessionLimit { sessions = [:] }
        sessions[session] = nonce
      }
      return json(["session": session, "nonce": nonce.hash, "client": LocalProvider.client])
    } catch {
      return json(Outcome(error: "\(error.code)", message: "\(error)"))
    }
  }

  /// Signs the user of a token in, with a new account the first time.
  private func finish(_ body: [UInt8]) async -> Loopback.Response {
    guard let callback = try? JSONDecoder().decode(Callback.self, from: Data(body)),
      let nonce = sessions.withLock({ $0[callback.session] })
    else { return Loopback.Response(status: 400) }
    do {
      let sent = try callback.user.map { try UserProfile(json: $0) }
      let identity = try await verifier.verify(
        callback.token, nonce: nonce.value, profile: sent)
      let known = try verifier.accounts.user(of: identity)
      // A new account needs the profile; without one, the error says what to do.
      let profile = try verifier.profiles.profile(of: identity.subject)
      let user = try known ?? verifier.accounts.createAccount(for: identity)
      let name = [profile.givenName, profile.familyName].compactMap(\.self).joined(separator: " ")
      return json(
        Outcome(
          account: user.account, name: name, email: identity.verifiedEmail?.address,
          isNew: known == nil))
    } catch {
      let code = (error as? IdentityError)?.code
      return json(Outcome(error: code?.description ?? "unknown", message: "\(error)"))
    }
  }

  // MARK: The provider

  private func authorize(_ request: Loopback.Request) async -> Loopback.Response {
    guard let person = request.value(of: "person"), let nonce = request.value(of: "nonce"),
      let answer = try? await provider.authorize(person, nonce: nonce)
    else { return Loopback.Response(status: 400) }
    return json(answer)
  }
}

private func json(_ value: some Encodable) -> Loopback.Response {
  guard let body = try? JSONEncoder().encode(value) else { return Loopback.Response(status: 500) }
  return Loopback.Response(Array(body), type: "application/json")
}

private func file(_ bytes: [UInt8], type: String) -> Loopback.Route {
  .open { _ in
    Loopback.Response(
      bytes, type: "text/\(type); charset=utf-8",
      policy: "script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:")
  }
}
