/// A card of a trading card game, as its public service describes one.
struct GameCard: Codable, Equatable, Sendable {
  var name: String
  var manaCost: String
  var cmc: Double
  var colors: [String]
  var colorIdentity: [String]
  var type: String
  var supertypes: [String]?
  var types: [String]
  var subtypes: [String]
  var rarity: String
  var set: String
  var setName: String
  var text: String
  var flavor: String?
  var artist: String
  var number: String
  var power: String?
  var toughness: String?
  var layout: String
  var multiverseid: Int
  var imageUrl: String
  var reserved: Bool
  var rulings: [Ruling]
  var printings: [String]
  var legalities: [Legality]
  var id: String
}

extension GameCard {
  struct Ruling: Codable, Equatable, Sendable {
    var date: String
    var text: String
  }
}

extension GameCard {
  struct Legality: Codable, Equatable, Sendable {
    var format: String
    var legality: String
  }
}
