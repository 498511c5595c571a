import KeepsakeMacros

/// A card of a trading card game, as its public service describes one.
@Storable struct StoredGameCard: Equatable, Sendable {
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

extension StoredGameCard {
  @Storable struct Ruling: Equatable, Sendable {
    var date: String
    var text: String
  }
}

extension StoredGameCard {
  @Storable struct Legality: Equatable, Sendable {
    var format: String
    var legality: String
  }
}
