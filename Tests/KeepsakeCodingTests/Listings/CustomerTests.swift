#if Secrets
import Crypto
import Foundation
import KeepsakeCoding
import Testing

extension Listings {
  @Suite("A customer is encoded")
  struct CustomerTests {
    private static func moment(_ text: String) throws -> Date {
      try Date(text, strategy: .iso8601)
    }

    private func lines(_ encoder: JSONEncoder, _ value: some Encodable) throws -> [String] {
      try String(decoding: encoder.encode(value), as: UTF8.self)
        .replacingOccurrences(of: "\" : ", with: "\": ")
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("Output can be laid out for people, in the order of the keys")
    func outputCanBeLaidOutForPeople() throws {
      let customer = FlatCustomer(addedOn: Date(timeIntervalSinceReferenceDate: 619552896.56153595))
      let encoder = JSONEncoder()
      let plain = try String(decoding: encoder.encode(customer), as: UTF8.self)
      try #require(plain.contains(#""street":"3828 Piermont Drive""#))
      try #require(plain.contains(#""website":"http:\/\/github.com\/freak4pc""#))
      try #require(!plain.contains(" :") && !plain.contains("\n"))

      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let lines = try lines(encoder, customer)
      try #require(
        lines == [
          "{", #"  "accessKey": "S|_|p3rs3cr37","#, #"  "addedOn": \#(619552896.56153595),"#,
          #"  "atmCode": "1132","#, #"  "cellularPhone": "+972 542-288-482","#,
          #"  "city": "Albuquerque","#, #"  "email": "freak4pc@gmail.com","#,
          #"  "homePhone": "+1 212-741-4695","#, #"  "name": "Shai Mishali","#,
          #"  "street": "3828 Piermont Drive","#, #"  "website": "http://github.com/freak4pc","#,
          #"  "zip": 87112"#, "}",
        ])
      Listing.ran(57)
    }

    @Test("Keys turn to snake case and dates to ISO 8601") func keysTurnToSnakeCaseAndDates() throws
    {
      let customer = FlatCustomer(addedOn: try Self.moment("2020-08-19T18:12:23Z"))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.dateEncodingStrategy = .iso8601
      let lines = try lines(encoder, customer)
      try #require(lines[1] == #"  "access_key": "S|_|p3rs3cr37","#)
      try #require(lines[2] == #"  "added_on": "2020-08-19T18:12:23Z","#)
      Listing.ran(58)
    }

    @Test("What nobody should read is encrypted on its way") func whatNobodyShouldReadIsEncrypted()
      throws
    {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      struct Secrets: Codable {
        var accessKey: EncryptedCodableString = "S|_|p3rs3cr37"
        var atmCode: EncryptedCodableString = "1132"
      }
      let data = try encoder.encode(Secrets())
      let texts = try JSONDecoder().decode([String: Data].self, from: data)
      // Nonce, text and tag.
      try #require(
        texts.mapValues(\.count) == ["access_key": 12 + 13 + 16, "atm_code": 12 + 4 + 16])
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let secrets = try decoder.decode(Secrets.self, from: data)
      try #require(secrets.accessKey.value == "S|_|p3rs3cr37")
      try #require(secrets.atmCode.value == "1132")
      var sealed = try #require(texts["atm_code"])
      let intact = try encoder.encode([sealed])
      try #require(decoder.decode([EncryptedCodableString].self, from: intact)[0].value == "1132")
      sealed[sealed.endIndex - 1] ^= 1
      let tampered = try encoder.encode([sealed])
      #expect(throws: (any Error).self) {
        try decoder.decode([EncryptedCodableString].self, from: tampered)
      }
      Listing.ran(59)
    }

    @Test("Only what is encoded by hand is written") func onlyWhatIsEncodedByHand() throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.dateEncodingStrategy = .iso8601
      let customer = PartialCustomer(addedOn: try Self.moment("2020-08-19T18:44:27Z"))
      let lines = try lines(encoder, customer)
      try #require(lines.count == 6)
      try #require(lines[1].hasPrefix(#"  "access_key": ""#))
      try #require(lines[2] == #"  "added_on": "2020-08-19T18:44:27Z","#)
      try #require(lines[3].hasPrefix(#"  "atm_code": ""#))
      try #require(lines[4] == #"  "name": "Shai Mishali""#)
      Listing.ran(60, 61)
    }

    @Test("Flat properties are written in nested containers")
    func flatPropertiesAreWrittenInNestedContainers() throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.keyEncodingStrategy = .convertToSnakeCase
      encoder.dateEncodingStrategy = .iso8601
      let customer = NestedCustomer(
        customer: PartialCustomer(addedOn: try Self.moment("2020-08-19T18:50:26Z")))
      var lines = try lines(encoder, customer)
      try #require(lines.count == 16)
      try #require(lines.remove(at: 1).hasPrefix(#"  "access_key": ""#))
      try #require(lines.remove(at: 7).hasPrefix(#"  "atm_code": ""#))
      try #require(
        lines == [
          "{", #"  "added_on": "2020-08-19T18:50:26Z","#, #"  "address": {"#,
          #"    "city": "Albuquerque","#, #"    "street": "3828 Piermont Drive","#,
          #"    "zip": 87112"#, "  },", #"  "contact_info": {"#,
          #"    "cellular_phone": "+972 542-288-482","#, #"    "email": "freak4pc@gmail.com","#,
          #"    "home_phone": "+1 212-741-4695""#, "  },", #"  "name": "Shai Mishali""#, "}",
        ])
      Listing.ran(62)
    }
  }
}

/// The customer that the chapter begins with.
struct FlatCustomer: Codable {
  var name = "Shai Mishali"
  var accessKey = "S|_|p3rs3cr37"
  var atmCode = "1132"
  var street = "3828 Piermont Drive"
  var city = "Albuquerque"
  var zip = 87112
  var homePhone = "+1 212-741-4695"
  var cellularPhone = "+972 542-288-482"
  var email = "freak4pc@gmail.com"
  var website = URL(string: "http://github.com/freak4pc")
  let addedOn: Date
}

/// Text that is encrypted where it is encoded.
struct EncryptedCodableString: ExpressibleByStringLiteral, Codable {
  let value: String
  private var key: SymmetricKey { SymmetricKey(data: Data("Expert Swift !!!".utf8)) }

  init(stringLiteral value: StringLiteralType) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let combined = try container.decode(Data.self)
    let key = SymmetricKey(data: Data("Expert Swift !!!".utf8))
    let result = try AES.GCM.open(.init(combined: combined), using: key)
    value = String(data: result, encoding: .utf8) ?? ""
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let sealed = try AES.GCM.seal(Data(value.utf8), using: key)
    try container.encode(sealed.combined)
  }
}

enum CustomerKeys: String, CodingKey {
  case name, accessKey, atmCode, addedOn, address, contactInfo
}

enum AddressKeys: String, CodingKey {
  case street, city, zip
}

enum ContactInfoKeys: String, CodingKey {
  case homePhone, cellularPhone, email
}

/// The customer while only its own keys are encoded.
struct PartialCustomer: Encodable {
  var name = "Shai Mishali"
  var accessKey: EncryptedCodableString = "S|_|p3rs3cr37"
  var atmCode: EncryptedCodableString = "1132"
  let addedOn: Date

  func encode(to encoder: any Encoder) throws {
    var customer = encoder.container(keyedBy: CustomerKeys.self)
    try customer.encode(name, forKey: .name)
    try customer.encode(accessKey, forKey: .accessKey)
    try customer.encode(atmCode, forKey: .atmCode)
    try customer.encode(addedOn, forKey: .addedOn)
  }
}

/// The customer with its address and how it can be reached.
struct NestedCustomer: Encodable {
  let customer: PartialCustomer
  var flat = FlatCustomer(addedOn: .distantPast)

  func encode(to encoder: any Encoder) throws {
    try customer.encode(to: encoder)
    var customer = encoder.container(keyedBy: CustomerKeys.self)
    var address = customer.nestedContainer(keyedBy: AddressKeys.self, forKey: .address)
    try address.encode(flat.street, forKey: .street)
    try address.encode(flat.city, forKey: .city)
    try address.encode(flat.zip, forKey: .zip)
    var contactInfo = customer.nestedContainer(keyedBy: ContactInfoKeys.self, forKey: .contactInfo)
    try contactInfo.encode(flat.homePhone, forKey: .homePhone)
    try contactInfo.encode(flat.cellularPhone, forKey: .cellularPhone)
    try contactInfo.encode(flat.email, forKey: .email)
  }
}
#endif
