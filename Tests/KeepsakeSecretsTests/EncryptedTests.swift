#if Secrets
import Foundation
import KeepsakeCoding
import KeepsakeSecrets
import Testing

@Suite("An encrypted property") struct EncryptedTests {
  struct Customer: Codable, Equatable {
    var name: String
    @Encrypted var accessKey: String
    @Encrypted var atmCode: Int
    @Encrypted var note: String?
  }

  static let customer = Customer(
    name: "Customer Inc", accessKey: "S|_|p3r $ecret", atmCode: 1132, note: nil)

  static func encoder(_ key: EncryptionKey) -> JSON.Encoder {
    let encoder = JSON.Encoder()
    encoder.userInfo[.encryptionKey] = key
    return encoder
  }

  static func decoder(_ key: EncryptionKey) -> JSON.Decoder {
    let decoder = JSON.Decoder()
    decoder.userInfo[.encryptionKey] = key
    return decoder
  }

  @Test("comes back through every coder, and is in the clear in none") func roundTrip() throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    let bytes = try Self.encoder(key).encodeToBytes(Self.customer)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("Customer Inc"))
    #expect(!text.contains("p3r") && !text.contains("1132"))
    #expect(try Self.decoder(key).decode(Customer.self, from: bytes) == Self.customer)

    let foundation = Foundation.JSONDecoder()
    foundation.userInfo[.encryptionKey] = key
    #expect(try foundation.decode(Customer.self, from: Data(bytes)) == Self.customer)

    let plist = PropertyList.Encoder()
    plist.userInfo[.encryptionKey] = key
    let list = try plist.encode(Self.customer)
    let listDecoder = PropertyList.Decoder()
    listDecoder.userInfo[.encryptionKey] = key
    #expect(try listDecoder.decode(Customer.self, from: list) == Self.customer)
  }

  @Test("is another text than that of an equal value") func nonces() throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    let encoder = Self.encoder(key)
    let texts = try (0..<10).map { _ in try encoder.encode([Encrypted(wrappedValue: "hunter2")]) }
    #expect(Set(texts).count == 10)
  }

  @Test("keeps its text until it or its key changes") func stability() throws {
    let store = SecretStore.inMemory()
    let key = try store.encryptionKey(named: "customers")
    let made = Self.customer
    let bytes = try Self.encoder(key).encodeToBytes(made)
    #expect(try Self.encoder(key).encodeToBytes(made) == bytes)
    let old = try Self.decoder(key).decode(Customer.self, from: bytes)
    #expect(try Self.encoder(key).encodeToBytes(old) == bytes)

    var customer = old
    customer.accessKey = "another"
    let changed = try Self.encoder(key).encodeToBytes(customer)
    #expect(changed != bytes)
    #expect(try Self.decoder(key).decode(Customer.self, from: changed) == customer)
    // A copy that was changed and encoded has a text of its own.
    #expect(try Self.encoder(key).encodeToBytes(old) == bytes)
    #expect(try Self.encoder(key).encodeToBytes(customer) == changed)
    // What is set to what it is, is not changed.
    customer.accessKey = customer.accessKey + ""
    #expect(try Self.encoder(key).encodeToBytes(customer) == changed)

    let new = try store.rotateEncryptionKey(named: "customers")
    let rotated = try Self.encoder(new).encodeToBytes(old)
    #expect(throws: DecodingError.self) {
      try Self.decoder(key).decode(Customer.self, from: rotated)
    }
    #expect(try Self.encoder(new).encodeToBytes(old) == rotated)
    let other = try SecretStore.inMemory().encryptionKey(named: "customers")
    let foreign = try Self.encoder(other).encodeToBytes(old)
    #expect(try Self.decoder(other).decode(Customer.self, from: foreign) == old)
  }

  @Test("is equal and hashed by its value alone") func equality() throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    let value = Encrypted(wrappedValue: 1)
    let bytes = try Self.encoder(key).encodeToBytes([value])
    let decoded = try Self.decoder(key).decode([Encrypted<Int>].self, from: bytes)[0]
    #expect(Set([value, decoded, Encrypted(wrappedValue: 1)]).count == 1)
    #expect(value != Encrypted(wrappedValue: 2))
  }

  @Test("is not encoded without a key, and the error shows nothing of it") func noKey() throws {
    let encodingError = try #require(throws: EncodingError.self) {
      try JSON.Encoder().encode(Self.customer)
    }
    #expect(!"\(encodingError)".contains("p3r"))
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    let bytes = try Self.encoder(key).encodeToBytes(Self.customer)
    #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode(Customer.self, from: bytes)
    }
  }

  @Test("is not opened by another key, of another type, or changed in any character")
  func refusals() throws {
    let store = SecretStore.inMemory()
    let key = try store.encryptionKey(named: "customers")
    let other = try store.encryptionKey(named: "others")
    let bytes = try Self.encoder(key).encodeToBytes([Encrypted(wrappedValue: "hunter2")])
    #expect(throws: DecodingError.self) {
      try Self.decoder(other).decode([Encrypted<String>].self, from: bytes)
    }
    let error = try #require(throws: DecodingError.self) {
      try Self.decoder(key).decode([Encrypted<Int>].self, from: bytes)
    }
    #expect(!"\(error)".contains("hunter2"))
    var refused = 0
    for offset in bytes.indices.dropFirst(2).dropLast(2) {
      var changed = bytes
      changed[offset] = changed[offset] == 0x41 ? 0x42 : 0x41
      let result = Result { try Self.decoder(key).decode([Encrypted<String>].self, from: changed) }
      switch result {
      case .failure: refused += 1
      // The last digit of Base64 has bits that say nothing.
      case .success(let values): #expect(values[0].wrappedValue == "hunter2")
      }
    }
    #expect(refused >= bytes.count - 6)
  }

  @Test("is still decrypted after its key has a new generation") func generations() throws {
    let store = SecretStore.inMemory()
    let old = try store.encryptionKey(named: "customers")
    let bytes = try Self.encoder(old).encodeToBytes(Self.customer)
    let new = try store.rotateEncryptionKey(named: "customers")
    #expect(try Self.decoder(new).decode(Customer.self, from: bytes) == Self.customer)
    let newBytes = try Self.encoder(new).encodeToBytes(Self.customer)
    #expect(throws: DecodingError.self) {
      try Self.decoder(old).decode(Customer.self, from: newBytes)
    }
    let again = try store.encryptionKey(named: "customers")
    #expect(try Self.decoder(again).decode(Customer.self, from: newBytes) == Self.customer)
  }

  @Test("that is optional may be missing") func missing() throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    var object = try #require(
      JSONSerialization.jsonObject(with: Self.encoder(key).encode(Self.customer)) as? [String: Any])
    object["note"] = nil
    let data = try JSONSerialization.data(withJSONObject: object)
    #expect(try Self.decoder(key).decode(Customer.self, from: data) == Self.customer)
    object["accessKey"] = nil
    let less = try JSONSerialization.data(withJSONObject: object)
    #expect(throws: DecodingError.self) { try Self.decoder(key).decode(Customer.self, from: less) }
  }

  @Test("is not shown in descriptions, dumps and mirrors") func redaction() throws {
    var dumped = ""
    dump(Self.customer, to: &dumped)
    let shown = "\(Self.customer) \(String(reflecting: Self.customer)) \(dumped)"
    #expect(!shown.contains("p3r") && !shown.contains("1132"))
    #expect(shown.contains("Customer Inc"))
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    var dumpedKey = ""
    dump(key, to: &dumpedKey)
    #expect(dumpedKey == "- EncryptionKey(…)\n")
  }
}
#endif
