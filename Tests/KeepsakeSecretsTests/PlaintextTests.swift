#if Secrets
import Foundation
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSecrets
import KeepsakeTestSupport
import SystemPackage
import Testing

private struct Note: Codable, Identifiable, Sendable {
  var id: String
  @Encrypted var text = ""
}

@Suite("A program that keeps secrets on a real disk") struct PlaintextTests {
  @Test("leaves none of them in any of its files, in the clear or as Base64") func files() throws {
    try withTemporaryDirectory { root in
      let container = AppContainer(root: root, identifier: "com.example.notes")
      let plaintext = "correct horse battery staple"
      let keyFile = root.appending("key")
      let secrets = SecretStore(container: container, key: .keyFile(keyFile))
      try secrets.set(plaintext, for: "password")
      try secrets.set("another " + plaintext, for: "removed")
      try secrets.remove("removed")
      try secrets.rotateKey()
      var configuration = DocumentConfiguration()
      configuration.userInfo[.encryptionKey] = try secrets.encryptionKey(named: "notes")
      let notes = try DocumentStore<Note>(
        directory: container.documents, pathExtension: "note", configuration: configuration)
      for number in 1...3 { try notes.save(Note(id: "1", text: "\(plaintext) \(number)")) }
      try notes.save(Note(id: "2", text: plaintext))
      try notes.remove("2")

      let forms =
        [plaintext]
        + (0..<3).map { skipped in
          // However the bytes before it have shifted it, but for the letters at either end.
          String(Data(plaintext.utf8.dropFirst(skipped)).base64EncodedString().dropLast(4))
        }
      var count = 0
      for case let file as String in try #require(
        FileManager.default.enumerator(atPath: root.string))
      {
        guard let content = FileManager.default.contents(atPath: "\(root)/\(file)") else {
          continue
        }
        count += 1
        for form in forms { #expect(content.firstRange(of: Data(form.utf8)) == nil, "\(file)") }
      }
      // The store, its key, a note, its two past versions, the removed one.
      #expect(count >= 6)
      #expect(try secrets.value(for: "password") == plaintext)
      #expect(try notes.load("1").text == "\(plaintext) 3")
    }
  }
}
#endif
