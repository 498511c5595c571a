#if Secrets
import Foundation
import KeepsakeCoding
import KeepsakeSecrets
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("The guide from the keychain") struct MigratingSecretsTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "MigratingSecrets", missingFrom: #filePath) == [])
  }

  struct Session: Codable, Equatable {
    var userID: String
    var token: String
  }

  struct SignedIn {
    let secrets: SecretStore

    func begin(_ session: Session) throws {
      try secrets.transaction { secrets in  // both, or neither
        try secrets.set(session.userID, for: "userID")
        try secrets.set(session.token, for: "token")
      }
    }

    func session() throws -> Session? {
      guard let userID: String = try secrets.value(for: "userID"),
        let token: String = try secrets.value(for: "token")
      else { return nil }
      return Session(userID: userID, token: token)
    }

    func end() throws {
      try secrets.transaction { secrets in
        secrets.remove("userID")
        secrets.remove("token")
      }
    }
  }

  func importOldSecrets(from file: URL, to secrets: SecretStore) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    let old = try JSON.Decoder().decode([String: String].self, from: Data(contentsOf: file))
    try secrets.transaction { secrets in
      for (name, value) in old where try secrets.value(for: name, as: String.self) == nil {
        try secrets.set(value, for: name)
      }
    }
    try FileManager.default.removeItem(at: file)
  }

  @Test("brings over a file in the clear, which is then gone") func clearFile() throws {
    try withTemporaryDirectory { directory in
      let file = URL(filePath: directory.appending("credentials.json").string)
      try Data(#"{"userID": "ada", "token": "t0k3n"}"#.utf8).write(to: file)
      let secrets = SecretStore(
        file: directory.appending("secrets.json"), identifier: "com.example.app",
        key: .keyFile(directory.appending("app.key")))
      let app = SignedIn(secrets: secrets)
      #expect(try app.session() == nil)
      try importOldSecrets(from: file, to: secrets)
      #expect(try app.session() == Session(userID: "ada", token: "t0k3n"))
      #expect(FileManager.default.fileExists(atPath: file.path) == false)

      try app.begin(Session(userID: "alan", token: "other"))
      try importOldSecrets(from: file, to: secrets)
      #expect(try app.session()?.userID == "alan")
      try app.end()
      #expect(try app.session() == nil)
    }
  }
}
#endif
