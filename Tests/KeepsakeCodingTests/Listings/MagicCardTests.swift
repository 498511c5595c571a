import Foundation
import KeepsakeCoding
import Testing

extension Listings {
  @Suite("The service of game cards")
  struct MagicCardTests {
    private func cards() throws -> [Card] {
      try JSONDecoder().decode([Card].self, from: API.getData(for: .magicCards))
    }

    @Test("What mana a card costs is decoded from its symbols") func whatManaACardCostsIsDecoded()
      throws
    {
      var output = Output()
      for card in try cards() {
        output.print("🃏 \(card.name) #\(card.number), \(card.manaCost)")
      }
      try #require(
        output.lines == [
          "🃏 Archangel of Thune #8, 3WW", "🃏 Thoughtseize #110, B", "🃏 Batterskull #130, 5",
          "🃏 Force of Will #28, 3UU", "🃏 Krenko, Mob Boss #15, 2RR",
          "🃏 Rishkar’s Expertise #123, 4GG",
        ])
      try #require(cards()[0].manaCost.colors == [.colorless(3), .white, .white])
      Listing.ran(21, 22, 23, 25, 26, 27, 28, 29)
    }

    @Test("Mana can be had of colours, without any decoding") func manaCanBeHadOfColours() throws {
      let mana = Card.Mana(colors: [.colorless(12), .extra, .black, .green])
      try #require(mana.description == "12XBG")
      try #require(Card.Mana.Color(symbol: "x")?.symbol == "X")
      try #require(Card.Mana.Color(symbol: "Q") == nil)
      Listing.ran(24)
    }

    @Test("A symbol that nobody knows is an error at its place") func aSymbolThatNobodyKnows()
      throws
    {
      let json = try String(decoding: API.getData(for: .magicCards), as: UTF8.self)
        .replacingOccurrences(of: "{3}{U}{U}", with: "{3}{Q}")
      do {
        _ = try JSONDecoder().decode([Card].self, from: Data(json.utf8))
        Issue.record("mana was made of an unknown symbol")
      } catch DecodingError.dataCorrupted(let context) {
        try #require(context.debugDescription.hasPrefix("Unknown mana symbol Q"))
        try #require(context.codingPath.map(\.stringValue) == ["Index 3", "manaCost"])
      }
    }

    @Test("A card's rarity is one of a few words") func aCardsRarityIsOne() throws {
      var output = Output()
      for card in try cards() {
        output.print("🃏 \(card.name) #\(card.number), \(card.manaCost), \(card.rarity)")
      }
      try #require(
        output.lines.prefix(2) == [
          "🃏 Archangel of Thune #8, 3WW, Mythic Rare", "🃏 Thoughtseize #110, B, Rare",
        ])
      Listing.ran(30, 31)
    }

    @Test("A set and attributes are decoded from their parents' keys")
    func aSetAndAttributesAreDecoded() throws {
      var output = Output()
      for card in try cards() {
        output.print(
          "🃏 \(card.name) #\(card.number) is a \(card.rarity)",
          "\(card.type) and needs \(card.manaCost).",
          "It's part of \(card.set.name) (\(card.set.id)).",
          card.attributes.map { "It's attributed as \($0.power)/\($0.toughness)." } ?? "")
      }
      try #require(
        output.lines.prefix(2) == [
          "🃏 Archangel of Thune #8 is a Mythic Rare Creature — Angel and needs 3WW. "
            + "It's part of Iconic Masters (IMA). It's attributed as 3/4.",
          "🃏 Thoughtseize #110 is a Rare Sorcery and needs B. "
            + "It's part of Iconic Masters (IMA). ",
        ])
      let batterskull = try cards()[2]
      try #require(batterskull.text.isEmpty && batterskull.flavor != nil)
      try #require(
        cards()[1].imageUrl == nil && batterskull.imageUrl?.host == "gatherer.wizards.com")
      Listing.ran(32, 33, 34, 35, 36)
    }

    @Test("Of rulings only their texts are kept") func ofRulingsOnlyTheirTextsAreKept() throws {
      let card = try cards()[0]
      var output = Output()
      output.print("Rulings: \(card.rulings.joined(separator: ", "))")
      try #require(
        output.lines[0].hasPrefix(
          "Rulings: Archangel of Thune’s last ability triggers just once for each life-gaining "
            + "event, whether it’s 1 life from Auriok Champion or 6 life from Tavern Swindler."))
      try #require(card.rulings.count == 2)
      Listing.ran(37, 38, 39)
    }
  }
}

/// A card as the chapter leaves it.
struct Card: Decodable {
  let id: UUID
  let name: String
  let manaCost: Mana
  let type: String
  let rarity: Rarity
  let text: String
  let flavor: String?
  let number: String
  let imageUrl: URL?
  let set: Set
  let attributes: Attributes?
  let rulings: [String]

  enum CodingKeys: String, CodingKey {
    case id, name, manaCost, type, rarity
    case text, flavor, number, set, setName
    case power, toughness, rulings, imageUrl
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    manaCost = try container.decode(Mana.self, forKey: .manaCost)
    type = try container.decode(String.self, forKey: .type)
    rarity = try container.decode(Rarity.self, forKey: .rarity)
    text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
    flavor = try container.decodeIfPresent(String.self, forKey: .flavor)
    number = try container.decode(String.self, forKey: .number)
    imageUrl = try container.decodeIfPresent(URL.self, forKey: .imageUrl)
    set = Set(
      id: try container.decode(String.self, forKey: .set),
      name: try container.decode(String.self, forKey: .setName))
    if let power = try container.decodeIfPresent(String.self, forKey: .power),
      let toughness = try container.decodeIfPresent(String.self, forKey: .toughness)
    {
      attributes = Attributes(power: power, toughness: toughness)
    } else {
      attributes = nil
    }
    let rulings = try container.decode([[String: String]].self, forKey: .rulings)
    self.rulings = rulings.compactMap { $0["text"] }
  }
}

extension Card {
  struct Attributes {
    let power: String
    let toughness: String
  }

  struct Set {
    let id: String
    let name: String
  }

  enum Rarity: String, CustomStringConvertible, Decodable {
    case common = "Common"
    case uncommon = "Uncommon"
    case rare = "Rare"
    case mythicRare = "Mythic Rare"
    case special = "Special"
    case land = "Basic Land"

    var description: String { rawValue }
  }

  struct Mana: CustomStringConvertible {
    let colors: [Color]

    var description: String { colors.map(\.symbol).joined() }
  }
}

extension Card.Mana: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let cost = try container.decode(String.self)
    colors = try cost.components(separatedBy: "}").dropLast().compactMap { rawCost in
      let symbol = String(rawCost.dropFirst())
      guard !symbol.isEmpty, let color = Color(symbol: symbol) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "Unknown mana symbol \(symbol)")
      }
      return color
    }
  }
}

extension Card.Mana {
  enum Color: Equatable {
    case colorless(Int)
    case extra, white, blue, black, red, green

    var symbol: String {
      switch self {
      case .white: "W"
      case .blue: "U"
      case .black: "B"
      case .red: "R"
      case .green: "G"
      case .extra: "X"
      case .colorless(let number): "\(number)"
      }
    }

    init?(symbol: String) {
      if let value = Int(symbol) {
        self = .colorless(value)
        return
      }
      switch symbol.lowercased() {
      case "w": self = .white
      case "u": self = .blue
      case "b": self = .black
      case "r": self = .red
      case "g": self = .green
      case "x": self = .extra
      default: return nil
      }
    }
  }
}
