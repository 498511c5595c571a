#if Macros
import Foundation
import KeepsakeMacros
import Testing

/// A game card of the source texts (listings K21 to K39), without its 40 lines of keys and decoding.
@Storable
struct GameCard: Equatable {
  let id: UUID
  let name: String
  @Coded(ManaSymbols()) let manaCost: [Mana]
  let type: String
  let rarity: Rarity
  var text = ""
  let flavor: String?
  let number: String
  let imageUrl: URL?
  @Flattened let set: CardSet
  @Flattened let attributes: Attributes?
  @Coded(RulingTexts()) let rulings: [String]

  @Storable
  struct CardSet: Equatable {
    @Key("set") let id: String
    @Key("setName") let name: String
  }

  @Storable
  struct Attributes: Equatable {
    let power: String
    let toughness: String
  }

  @Storable
  enum Rarity: String {
    case common = "Common"
    case rare = "Rare"
    case mythicRare = "Mythic Rare"
  }
}

enum Mana: Equatable {
  case colorless(Int)
  case color(Character)

  var symbol: String {
    switch self {
    case .colorless(let number): "\(number)"
    case .color(let letter): "\(letter)"
    }
  }
}

/// `{3}{W}{W}`.
struct ManaSymbols: FieldCoding {
  func value(from stored: String) -> [Mana]? {
    var mana: [Mana] = []
    for symbol in stored.split(separator: "}").map({ $0.dropFirst() }) {
      if let number = Int(symbol) {
        mana.append(.colorless(number))
      } else if symbol.count == 1, let letter = symbol.first, "WUBRGX".contains(letter) {
        mana.append(.color(letter))
      } else {
        return nil
      }
    }
    return mana
  }

  func stored(_ value: [Mana]) -> String { value.map { "{\($0.symbol)}" }.joined() }
}

/// Of each ruling only its text.
struct RulingTexts: FieldCoding {
  func value(from stored: [[String: String]]) -> [String]? { stored.compactMap { $0["text"] } }
  func stored(_ value: [String]) -> [[String: String]] { value.map { ["text": $0] } }
}

/// A stock of the source texts (listings K40 to K50): a level deeper, numbers in texts.
@Storable
struct Stock: Equatable {
  @Key(path: ["Meta Data", "1. Information"]) let info: String
  @Key(path: ["Meta Data", "2. Symbol"]) let symbol: String
  @Key(path: ["Meta Data", "3. Last Refreshed"]) let refreshedAt: String
  @Key("Time Series (1min)") let updates: [String: Update]

  @Storable
  struct Update: Equatable {
    @Key("1. open") @Coded(.text(of: Float.self)) let open: Float
    @Key("2. high") @Coded(.text(of: Float.self)) let high: Float
    @Key("3. low") @Coded(.text(of: Float.self)) let low: Float
    @Key("4. close") @Coded(.text(of: Float.self)) let close: Float
    @Key("5. volume") @Coded(.text(of: Int.self)) let volume: Int
  }
}

/// A team and a setting of the source texts (listings C05 to C12).
@Storable
struct Team: Equatable {
  let names: [String]
  let count: Int
}

@Storable
struct Angle: Equatable {
  @Key("degrees") var value: Double
}

@Suite("Types of the source texts, with @Storable") struct ListingTypesTests {
  static let fixtures = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("KeepsakeCodingTests/Listings/Fixtures")

  func fixture(_ name: String) throws -> Data {
    try Data(contentsOf: Self.fixtures.appendingPathComponent(name))
  }

  @Test("Game cards") func cards() throws {
    let cards = try JSON.Decoder().decode([GameCard].self, from: fixture("cards.json"))
    #expect(cards.count == 6)
    #expect(cards[0].manaCost == [.colorless(3), .color("W"), .color("W")])
    #expect(cards[0].rarity == .mythicRare)
    #expect(cards[0].set == GameCard.CardSet(id: "IMA", name: "Iconic Masters"))
    #expect(cards[0].attributes == GameCard.Attributes(power: "3", toughness: "4"))
    #expect(cards[0].rulings.count == 2)
    #expect(cards[1].attributes == nil && cards[1].imageUrl == nil)
    #expect(cards[2].text == "" && cards[2].flavor != nil)
    let again = try JSON.Decoder().decode([GameCard].self, from: JSON.Encoder().encode(cards))
    #expect(again == cards)
  }

  @Test("A symbol that nobody knows is an error at its place") func symbol() throws {
    let text = String(decoding: try fixture("cards.json"), as: UTF8.self)
      .replacingOccurrences(of: "{3}{U}{U}", with: "{3}{Q}")
    let error = #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode([GameCard].self, from: Data(text.utf8))
    }
    #expect(error?.path == "Index 3.manaCost")
  }

  @Test("A stock") func stock() throws {
    let stock = try JSON.Decoder().decode(Stock.self, from: fixture("stock-1min.json"))
    #expect(stock.symbol == "RAY" && stock.refreshedAt == "2020-08-14 20:00:00")
    #expect(stock.updates["2020-08-14 20:00:00"]?.open == 101.9)
    #expect(stock.updates["2020-08-14 20:00:00"]?.volume == 1807)
  }

  @Test("A team, and an angle") func team() throws {
    let team = Team(names: ["Richard", "Libranner"], count: 2)
    let list = try PropertyList.Encoder().encode(team)
    #expect(try PropertyList.Decoder().decode(Team.self, from: list) == team)
    let angle = try JSON.Encoder().encode(Angle(value: 90))
    #expect(String(decoding: angle, as: UTF8.self) == #"{"degrees":90}"#)
  }
}
#endif
