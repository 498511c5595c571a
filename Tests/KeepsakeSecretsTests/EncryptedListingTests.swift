#if Secrets
import Foundation
import KeepsakeCoding
import KeepsakeSecrets
import Testing

private enum CustomerKeys: String, CodingKey {
  case name, accessKey, atmCode, addedOn, address, contactInfo
}

private enum AddressKeys: String, CodingKey {
  case street, city, zip
}

private enum ContactInfoKeys: String, CodingKey {
  case homePhone, cellularPhone, email
}

/// The document's customer, encrypted by a key of a store and not by one that is in the code.
private struct Customer: Codable, Equatable {
  var name = "Shai Mishali"
  @Encrypted var accessKey = "S|_|p3rs3cr37"
  @Encrypted var atmCode = "1132"
  var street = "3828 Piermont Drive"
  var email = "freak4pc@gmail.com"

  init() {}

  func encode(to encoder: any Encoder) throws {
    var customer = encoder.container(keyedBy: CustomerKeys.self)
    try customer.encode(name, forKey: .name)
    try customer.encode(_accessKey, forKey: .accessKey)
    try customer.encode(_atmCode, forKey: .atmCode)
    var address = customer.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
    try address.encode(street, forKey: .street)
    var contactInfo = customer.nestedContainer(keyedBy: ContactInfoKeys.self, forKey: .contactInfo)
    try contactInfo.encode(email, forKey: .email)
  }

  init(from decoder: any Decoder) throws {
    let customer = try decoder.container(keyedBy: CustomerKeys.self)
    name = try customer.decode(String.self, forKey: .name)
    _accessKey = try customer.decode(Encrypted<String>.self, forKey: .accessKey)
    _atmCode = try customer.decode(Encrypted<String>.self, forKey: .atmCode)
    let address = try customer.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
    street = try address.decode(String.self, forKey: .street)
    let contactInfo = try customer.nestedContainer(
      keyedBy: ContactInfoKeys.self, forKey: .contactInfo)
    email = try contactInfo.decode(String.self, forKey: .email)
  }
}

@Suite("The document about encrypted properties") struct EncryptedListingTests {
  @Test("K59: a text is one string in the JSON, and nobody reads it without the key")
  func text() throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    let encoder = EncryptedTests.encoder(key)
    let text = String(
      decoding: try encoder.encodeToBytes([Encrypted(wrappedValue: "S|_|p3rs3cr37")]), as: UTF8.self
    )
    #expect(text.hasPrefix("[\"") && text.hasSuffix("\"]") && !text.contains("p3rs3cr37"))
    let back = try EncryptedTests.decoder(key).decode(
      [Encrypted<String>].self, from: Array(text.utf8))
    #expect(back[0].wrappedValue == "S|_|p3rs3cr37")
  }

  @Test("K60 to K62: keys that are written by hand, and containers in each other, take it as well")
  func nested() throws {
    let key = try SecretStore.inMemory().encryptionKey(named: "customers")
    let encoder = EncryptedTests.encoder(key)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let bytes = try encoder.encodeToBytes(Customer())
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("\"access_key\" : \"") && text.contains("\"contact_info\" : {"))
    #expect(text.contains("Shai Mishali") && !text.contains("p3rs3cr37"))
    #expect(!text.contains("\"1132\""))
    let decoder = EncryptedTests.decoder(key)
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Customer.self, from: bytes) == Customer())
    let other = try SecretStore.inMemory().encryptionKey(named: "customers")
    let closed = EncryptedTests.decoder(other)
    closed.keyDecodingStrategy = .convertFromSnakeCase
    #expect(throws: DecodingError.self) { try closed.decode(Customer.self, from: bytes) }
  }
}
#endif
