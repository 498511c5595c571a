#if Secrets
import Foundation
import KeepsakeSecrets
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("The chapter about secrets") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Secrets", missingFrom: #filePath) == [])
  }

  struct Credential {
    var user: String
    var email: String
  }

  func keep(_ credential: Credential) throws {
    let secrets = SecretStore(key: .keyFile("/media/key/app.key"))

    try secrets.transaction { secrets in
      try secrets.set(credential.user, for: "userID")
      try secrets.set(credential.email, for: "email")
    }
    let user: String? = try secrets.value(for: "userID")
    print(user as Any)
  }

  struct Customer: Codable {
    var name: String
    @Encrypted var accessKey: String
  }

  func encode(_ customer: Customer, _ secrets: SecretStore) throws -> Data {
    let encoder = JSONEncoder()
    encoder.userInfo[.encryptionKey] = try secrets.encryptionKey(named: "customers")
    return try encoder.encode(customer)
  }
}
#endif
