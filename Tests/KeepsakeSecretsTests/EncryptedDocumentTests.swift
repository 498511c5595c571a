#if Secrets
import Foundation
import KeepsakeDocuments
import KeepsakeSecrets
import KeepsakeTesting
import SystemPackage
import Testing

private struct Account: Codable, Identifiable, Sendable {
  var id: String
  var name = ""
  @Encrypted var accessKey = ""
}

private struct Badge: Codable, Identifiable, Sendable {
  var id = "1"
  var colour = "yellow"
  @Encrypted var picture: Asset?
  var pictures: [Asset] = []

  init() { picture = nil }
}

@Suite("A store of documents with encrypted properties") struct EncryptedDocumentTests {
  private let disk = SimulatedDisk()

  private func open(_ key: EncryptionKey?) throws -> DocumentStore<Account> {
    var configuration = DocumentConfiguration()
    configuration.userInfo[.encryptionKey] = key
    return try DocumentStore(
      directory: "/Documents", pathExtension: "account", configuration: configuration,
      fileSystem: disk)
  }

  @Test("keeps no plaintext in any file, and what the type does not know") func plaintext() throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "accounts")
    let store = try open(key)
    for number in 1...3 {
      try store.save(Account(id: "1", name: "\(number)", accessKey: "p3rs3cr37 \(number)"))
    }
    for bytes in disk.files.values {
      #expect(!String(decoding: bytes, as: UTF8.self).contains("p3rs3cr37"))
    }
    let file: FilePath = "/Documents/1.account"
    var text = String(decoding: try #require(disk.bytes(at: file)), as: UTF8.self)
    text.insert(contentsOf: #""future" : [1, 2],"#, at: text.index(after: text.startIndex))
    try disk.write(Array(text.utf8), to: file)

    let next = try open(key)
    var account = try next.load("1")
    #expect(account.accessKey == "p3rs3cr37 3")
    account.accessKey = "another"
    try next.save(account)
    #expect(try open(key).load("1").accessKey == "another")
    text = String(decoding: try #require(disk.bytes(at: file)), as: UTF8.self)
    #expect(text.contains(#""future""#) && !text.contains("another"))
    #expect(try next.versions(of: "1").count == 3)
  }

  @Test("neither writes nor quarantines a document without the key, or with another")
  func wrongKey() async throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "accounts")
    try open(key).save(Account(id: "1", accessKey: "secret"))
    let files = disk.files
    for key in [nil, try SecretStore.inMemory().encryptionKey(named: "accounts")] {
      let store = try open(key)
      let error = #expect(throws: DocumentError.self) { try store.load("1") }
      #expect(error?.code == .unavailable && error?.keyPath == "accessKey")
      for await element in store.loadAll() { #expect(element.error?.code == .unavailable) }
      #expect(throws: DocumentError.self) { try store.save(Account(id: "1", accessKey: "mine")) }
      #expect(disk.files == files)
    }
    #expect(throws: DocumentError.self) { try open(nil).save(Account(id: "2", accessKey: "mine")) }
    #expect(disk.files == files)
    #expect(try open(key).load("1").accessKey == "secret")
  }

  @Test("writes a document only if it or its key changed") func unchanged() throws {
    let secrets = SecretStore.inMemory()
    let key = try secrets.encryptionKey(named: "accounts")
    let store = try open(key)
    let account = Account(id: "1", accessKey: "secret")
    try store.save(account)
    let files = disk.files
    try store.save(account)
    #expect(disk.files == files)
    for store in [store, try open(key)] {
      try store.save(store.load("1"))
      #expect(disk.files == files)
    }
    let rotated = try open(secrets.rotateEncryptionKey(named: "accounts"))
    try rotated.save(rotated.load("1"))
    #expect(throws: DocumentError.self) { try open(key).load("1") }
    #expect(try rotated.load("1").accessKey == "secret")
  }

  @Test("takes the other version's change of a property that was not changed here") func merging()
    throws
  {
    let key = try SecretStore.inMemory().encryptionKey(named: "accounts")
    let store = try open(key)
    let made = Account(id: "1", accessKey: "secret")
    try store.save(made)
    let other = try open(key)
    var ours = [made]
    for number in 1...2 {
      var theirs = try other.load("1")
      theirs.accessKey = "theirs \(number)"
      try other.save(theirs)
      // Once the document that was made here, once one that was loaded.
      ours[0].name = "ours \(number)"
      let error = #expect(throws: DocumentError.self) { try store.save(ours[0]) }
      let conflict = try #require(error?.conflict)
      #expect(conflict.overlaps == [])
      let merged = try store.resolve(conflict, by: .merge)
      #expect(merged.name == "ours \(number)" && merged.accessKey == "theirs \(number)")
      ours = [try store.load("1")]
    }
  }

  @Test("leaves a file of an older form unchanged without the key", arguments: [nil, 2])
  func olderForm(_ version: Int?) throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "badges")
    func open(_ key: EncryptionKey?) throws -> DocumentStore<Badge> {
      var configuration = DocumentConfiguration()
      configuration.schema = version.map { DocumentSchema(version: $0) }
      configuration.userInfo[.encryptionKey] = key
      return try DocumentStore(
        directory: "/Documents", pathExtension: "badge", defaultDocument: Badge(),
        configuration: configuration, fileSystem: disk)
    }
    try open(key).save(Badge())
    let file: FilePath = "/Documents/1.badge"
    let text = String(decoding: try #require(disk.bytes(at: file)), as: UTF8.self)
    let older = text.split(separator: "\n").filter {
      !$0.contains("colour") && !$0.contains("schemaVersion")
    }.joined(separator: "\n").replacing("[\n  ],", with: "[]")
    try disk.write(Array(older.utf8), to: file)
    let files = disk.files
    for key in [nil, try SecretStore.inMemory().encryptionKey(named: "badges")] {
      let error = #expect(throws: DocumentError.self) { try open(key).load("1") }
      #expect(error?.code == .unavailable && error?.keyPath == "picture")
      #expect(disk.files.keys == files.keys)
    }
    #expect(try open(key).load("1").colour == "yellow")
  }

  @Test("refuses an asset whose name cannot be read") func assets() throws {
    var configuration = DocumentConfiguration()
    configuration.userInfo[.encryptionKey] = try SecretStore.inMemory().encryptionKey(named: "b")
    let store = try DocumentStore<Badge>(
      directory: "/Documents", pathExtension: "badge", configuration: configuration,
      fileSystem: disk)
    let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
    let asset = try store.addAsset(image)
    var badge = Badge()
    badge.picture = asset
    let error = #expect(throws: DocumentError.self) { try store.save(badge) }
    #expect(error?.code == .unencodable)
    #expect(error.map { "\($0)".contains(asset.name) } == true)
    #expect(disk.bytes(at: "/Documents/1.badge") == nil)
    badge.pictures = [asset]
    try store.save(badge)
    #expect(try store.load("1").picture == asset)
  }
}
#endif
