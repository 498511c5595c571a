#if Secrets
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSecrets

@Suite("A store of secrets with any bytes", .timeLimit(.minutes(15))) struct SecretsMutationTests {
  @Test("has its secrets or is an error") func mutations() throws {
    let disk = try SecretsDamageTests.disk()
    let whole = disk.bytes(at: SecretStore.path)!
    let expected = try SecretsDamageTests.all(of: .onDisk(disk))
    let tokens = ["{", "}", "\"", ":", ",", "\"a\"", "null", "-1", "99999999999999999999"]
    for bytes in Mutations(of: [whole], tokens: tokens) {
      let copy = try SecretsDamageTests.copy(of: disk, holding: bytes)
      let store = SecretStore.onDisk(copy)
      do throws(SecretError) {
        let secrets = try SecretsDamageTests.all(of: store)
        #expect(secrets == expected)
      } catch {
        #expect(copy.bytes(at: SecretStore.path) == bytes)
      }
    }
  }
}
#endif
