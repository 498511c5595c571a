import Foundation
import KeepsakeCoding
import Testing

@Suite("Values with a configuration, through Foundation's coders and these")
struct ConfigurationTests {
  /// An amount in cents, written in another unit.
  struct Price: Equatable, CodableWithConfiguration {
    var cents: Int

    struct Unit: Sendable {
      var name: String
      var cents: Int
    }

    init(cents: Int) { self.cents = cents }

    init(from decoder: any Decoder, configuration unit: Unit) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      guard try container.decode(String.self, forKey: "unit") == unit.name else {
        throw DecodingError.dataCorruptedError(
          forKey: "unit", in: container, debugDescription: "This is another unit.")
      }
      cents = try container.decode(Int.self, forKey: "amount") * unit.cents
    }

    func encode(to encoder: any Encoder, configuration unit: Unit) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      guard cents.isMultiple(of: unit.cents) else {
        throw EncodingError.invalidValue(
          cents, .init(codingPath: container.codingPath, debugDescription: "There is a rest."))
      }
      try container.encode(unit.name, forKey: "unit")
      try container.encode(cents / unit.cents, forKey: "amount")
    }
  }

  enum Euro: EncodingConfigurationProviding, DecodingConfigurationProviding {
    static var encodingConfiguration: Price.Unit { Price.Unit(name: "euro", cents: 100) }
    static var decodingConfiguration: Price.Unit { encodingConfiguration }
  }

  /// Prices in every container that takes a configuration.
  struct Bill: Equatable, Codable {
    var total = Price(cents: 300)
    var prices: [Price]
    var tip: Price?

    init(prices: [Price], tip: Price?) {
      self.prices = prices
      self.tip = tip
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      // What the property wrapper of that name does.
      total = try container.decode(CodableConfiguration<Price, Euro>.self, forKey: "total")
        .wrappedValue
      tip = try container.decodeIfPresent(
        Price.self, forKey: "tip", configuration: Euro.decodingConfiguration)
      prices = []
      var list = try container.nestedUnkeyedContainer(forKey: "prices")
      while !list.isAtEnd {
        prices.append(try list.decode(Price.self, configuration: Euro.decodingConfiguration))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(
        CodableConfiguration(wrappedValue: total, from: Euro.self), forKey: "total")
      try container.encodeIfPresent(
        tip, forKey: "tip", configuration: Euro.encodingConfiguration)
      var list = container.nestedUnkeyedContainer(forKey: "prices")
      for price in prices {
        try list.encode(price, configuration: Euro.encodingConfiguration)
      }
    }
  }

  private static let bills = [
    Bill(prices: [], tip: nil),
    Bill(prices: [Price(cents: 100), Price(cents: -4200)], tip: Price(cents: 0)),
    Bill(prices: [Price(cents: 100), Price(cents: 101)], tip: nil),
    Bill(prices: [], tip: Price(cents: 7)),
  ]

  private static let texts = [
    #"{"total": {"unit": "euro", "amount": 1}, "prices": []}"#,
    #"{"total": {"unit": "euro", "amount": 1}, "prices": [{"unit": "pound", "amount": 1}]}"#,
    #"{"total": {"unit": "euro", "amount": 1}, "prices": [{"unit": "euro"}], "tip": null}"#,
    #"{"total": {"unit": "euro", "amount": "1"}, "prices": []}"#,
    #"{"total": {"unit": "euro", "amount": 1}, "tip": {"amount": 1}, "prices": []}"#,
    #"{"total": {"unit": "euro", "amount": 1}, "tip": 1, "prices": []}"#, #"{"prices": []}"#,
  ]

  @Test("in JSON are the same bytes, values and errors") func inJSONAreTheSameBytes() throws {
    let foundation = Foundation.JSONEncoder()
    foundation.outputFormatting = .sortedKeys
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for bill in Self.bills {
      let here = Outcome { try encoder.encode(bill) }
      let there = Outcome { try foundation.encode(bill) }
      #expect(here.agrees(with: there, isSame: ==), "\(here), but \(there)")
      guard case .result(let data) = here else { continue }
      #expect(try JSONDecoder().decode(Bill.self, from: data) == bill)
    }
    for text in Self.texts {
      let data = Data(text.utf8)
      let here = Outcome { try JSONDecoder().decode(Bill.self, from: data) }
      let there = Outcome { try Foundation.JSONDecoder().decode(Bill.self, from: data) }
      #expect(here.agrees(with: there, isSame: ==), "\(here), but \(there)")
    }
  }

  @Test("at the top of a text are the same") func atTheTopOfAText() throws {
    let unit = Price.Unit(name: "dozen", cents: 12)
    for price in [Price(cents: 144), Price(cents: 7)] {
      let here = Outcome { try JSONEncoder().encode(price, configuration: unit) }
      let there = Outcome { try Foundation.JSONEncoder().encode(price, configuration: unit) }
      switch (here, there) {
      case (.result(let data), .result(let other)):
        let copy = try JSONDecoder().decode(Price.self, from: other, configuration: unit)
        #expect(copy == price)
        #expect(
          try Foundation.JSONDecoder().decode(Price.self, from: data, configuration: unit) == price)
      default: #expect(here.agrees(with: there, isSame: ==), "\(here), but \(there)")
      }
    }
    let euros = try JSONEncoder().encode(Price(cents: 500), configuration: Euro.self)
    #expect(
      try Foundation.JSONDecoder().decode(Price.self, from: euros, configuration: Euro.self)
        == Price(cents: 500))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Price.self, from: euros, configuration: unit)
    }
  }

  @Test(
    "in property lists are the same values and errors",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func inPropertyListsAreTheSameValues(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let foundation = PropertyListEncoder()
    foundation.outputFormat = format
    for bill in Self.bills {
      let here = Outcome { try PropertyList.Encoder().encode(bill) }
      let there = Outcome { try foundation.encode(bill) }
      switch (here, there) {
      case (.result(let data), .result(let other)):
        let theirs = try PropertyListDecoder().decode(Bill.self, from: data)
        #expect(try PropertyList.Decoder().decode(Bill.self, from: other) == theirs)
        #expect(theirs == bill)
      // Foundation has every error at the top, as one of the whole value.
      case (.failure(let failure), .failure): #expect(failure.kind == "invalidValue Int")
      default: Issue.record("\(here), but \(there) with Foundation")
      }
    }
    let unit = Price.Unit(name: "dozen", cents: 12)
    let data = try foundation.encode(Price(cents: 24), configuration: unit)
    #expect(
      try PropertyList.Decoder().decode(Price.self, from: data, configuration: unit)
        == Price(cents: 24))
    #expect(throws: DecodingError.self) {
      try PropertyList.Decoder().decode(Price.self, from: data, configuration: Euro.self)
    }
  }
}
