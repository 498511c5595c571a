#if Postgres
import KeepsakeSync
import Testing

@testable import KeepsakePostgres

@Suite("The hosts of a database's URI")
struct ConnectionURITests {
  private func lists(_ uri: String) throws -> [String: [String]] {
    let addresses = ["a": ["::1", "10.0.0.1"], "b": ["10.0.0.2"]]
    let lists = try ConnectionURI(uri).addressLists { addresses[$0] ?? [] }
    return Dictionary(uniqueKeysWithValues: lists.map { ($0.keyword, $0.elements) })
  }

  @Test("A name with several addresses is there with each, so that a silent one can be left")
  func severalAddresses() throws {
    #expect(
      try lists("postgresql://u@a:5433/x")
        == ["host": ["a", "a"], "hostaddr": ["::1", "10.0.0.1"], "port": ["5433"]])
    #expect(
      try lists("postgresql://u@c:1,a:2,b:3/x") == [
        "host": ["c", "a", "a", "b"], "hostaddr": ["", "::1", "10.0.0.1", "10.0.0.2"],
        "port": ["1", "2", "2", "3"],
      ])
  }

  @Test("Names with one address or none, sockets and addresses stay as they are")
  func oneAddress() throws {
    #expect(try lists("postgresql://u@b/x") == ["host": ["b"]])
    #expect(try lists("postgresql://u@c:1,b:2/x") == ["host": ["c", "b"], "port": ["1", "2"]])
    #expect(try lists("postgresql://u@%2Ftmp/x") == ["host": ["/tmp"]])
    let address = try lists("postgresql://u@a/x?hostaddr=10.0.0.9")
    #expect(address == ["host": ["a"], "hostaddr": ["10.0.0.9"]])
  }

  @Test("What would be a password without its host is not taken for a port, and not shown")
  func port() throws {
    for uri in [
      "postgresql://app:s3cret", "postgresql://app:s3cret/db", "postgresql://a:5432,b:x/d",
    ] {
      #expect(throws: SyncError.rejected("The port in the database's URI is not a number.")) {
        try ConnectionURI(uri)
      }
    }
    #expect(try lists("postgresql://u@b/x?port=5433") == ["host": ["b"], "port": ["5433"]])
  }
}
#endif
