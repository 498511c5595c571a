#if Identity
import Foundation
import KeepsakeIdentity
import KeepsakeSecrets
import KeepsakeTestSupport
import SystemPackage
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The chapter about identity") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Identity", missingFrom: #filePath) == [])
  }

  func signIn(token: String, value: String, user: String?) async throws -> String {
    let verifier = IdentityVerifier(
      provider: .apple(team: "A1B2C3D4E5"), audiences: ["com.example.app", "com.example.web"],
      secrets: SecretStore(key: .keyFile("/media/key/app.key")), fetchingKeySetWith: fetch)

    // When the sign-in begins: the session keeps `value`, the request to the provider contains `hash`.
    let nonce = try verifier.issueNonce()
    print(nonce.value, nonce.hash)

    // When the token comes back, with the value of the same session:
    let profile = try user.map(UserProfile.init(json:))  // the parameter `user`, sent once
    let identity = try await verifier.verify(token, nonce: value, profile: profile)
    if let user = try verifier.accounts.user(of: identity) { return user.account }
    let kept = try verifier.profiles.profile(of: identity.subject)
    print(kept)
    return try verifier.accounts.createAccount(for: identity).account
  }
}

func fetch(_ url: URL, _ maximumByteCount: Int) async throws -> Data {
  let (data, response) = try await URLSession.shared.data(from: url)
  let status = (response as? HTTPURLResponse)?.statusCode
  guard status == 200 else { throw URLError(.badServerResponse) }
  return data
}
#endif
