#if Macros && Secrets
import Foundation
import KeepsakeFiles
import KeepsakeMacros
import KeepsakeSecrets
import Observation
import Synchronization
import SystemPackage
import Testing

@ObservableSettings
final class Account: Sendable {
  struct Session: Codable, Equatable { var id: Int }

  var name = ""
  @Secret var token: String?
  @Secret @Key("login") private(set) var session: Session?

  func logIn(_ id: Int) { session = Session(id: id) }
}

/// A secret that an own initializer gets a store for.
@ObservableSettings
final class OwnSecrets {
  let store = SettingsStore.inMemory()
  let secrets = SecretStore.inMemory()
  @Secret var token: String?

  init() {}
}

@Suite("A secret as a property") struct SecretPropertyTests {
  private final class Problems: Sendable {
    private let errors = Mutex<[SettingsError]>([])
    var all: [SettingsError] { errors.withLock { $0 } }
    func add(_ error: SettingsError) { errors.withLock { $0.append(error) } }
  }

  @Test("is in the store of secrets, under its name or key, and not in the settings")
  func place() throws {
    let (store, secrets) = (SettingsStore.inMemory(), SecretStore.inMemory())
    let account = Account(store: store, secrets: secrets)
    #expect(account.token == nil && account.session == nil)
    account.name = "Ada"
    account.token = "t"
    account.logIn(5)
    #expect(try secrets.names() == ["login", "token"] && store.names == ["name"])
    #expect(try secrets.value(for: "token") == "t")
    let other = Account(store: store, secrets: secrets)
    #expect(other.token == "t" && other.session == Account.Session(id: 5))
    account.token = nil
    #expect(other.token == nil)
    #expect(try secrets.names() == ["login"])
    let own = OwnSecrets()
    own.token = "own"
    #expect(own.token == "own")
  }

  @Test("notifies what reads it") func observation() {
    let account = Account(store: .inMemory(), secrets: .inMemory())
    let count = Mutex(0)
    withObservationTracking {
      _ = account.token
    } onChange: {
      count.withLock { $0 += 1 }
    }
    account.logIn(1)
    #expect(count.withLock { $0 } == 0)
    account.token = "t"
    #expect(count.withLock { $0 } == 1)
  }

  @Test("is nil where it cannot be read, stays where it cannot be changed, and both are reported")
  func failures() async throws {
    let problems = Problems()
    let directory = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let container = AppContainer(root: .init(directory.path), identifier: "com.example.Account")
    let store = try SettingsStore(container: container) { problems.add($0) }
    let wrong = SecretStore.inMemory()
    try wrong.set([1], for: "token")
    let account = Account(store: store, secrets: wrong)
    #expect(account.token == nil)
    account.token = "t"
    account.token = nil
    // A key file has 32 bytes or more.
    let key = FilePath(directory.path).appending("key")
    try LocalFileSystem().replaceFile(at: key, with: [1, 2, 3])
    let closed = SecretStore(container: container, key: .keyFile(key))
    let other = Account(store: store, secrets: closed)
    other.token = "t"
    #expect(other.token == nil)
    for _ in 0..<6000 where problems.all.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(problems.all.map(\.code).contains(.unavailable))
    #expect(problems.all.map(\.code).contains(.notWritten))
    #expect(problems.all.allSatisfy { $0.key == "token" && $0.cause is SecretError })
    #expect(try wrong.value(for: "token") == [1])
  }
}
#endif
