// What a macro would write for this type, by hand.

import Keepsake

extension GameCard: GeneratedCoding {
  private static let fields = JSON.Fields(
    "name", "manaCost", "cmc", "colors", "colorIdentity", "type", "supertypes", "types", "subtypes",
    "rarity", "set", "setName", "text", "flavor", "artist", "number", "power", "toughness",
    "layout", "multiverseid", "imageUrl", "reserved", "rulings", "printings", "legalities", "id")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var name: String?
    var manaCost: String?
    var cmc: Double?
    var colors: [String]?
    var colorIdentity: [String]?
    var type: String?
    var supertypes: [String]?
    var types: [String]?
    var subtypes: [String]?
    var rarity: String?
    var set: String?
    var setName: String?
    var text: String?
    var flavor: String?
    var artist: String?
    var number: String?
    var power: String?
    var toughness: String?
    var layout: String?
    var multiverseid: Int?
    var imageUrl: String?
    var reserved: Bool?
    var rulings: [GameCard.Ruling]?
    var printings: [String]?
    var legalities: [GameCard.Legality]?
    var id: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: name = try String(from: &reader)
      case 1: manaCost = try String(from: &reader)
      case 2: cmc = try Double(from: &reader)
      case 3: colors = try [String](from: &reader)
      case 4: colorIdentity = try [String](from: &reader)
      case 5: type = try String(from: &reader)
      case 6: supertypes = try [String]?(from: &reader)
      case 7: types = try [String](from: &reader)
      case 8: subtypes = try [String](from: &reader)
      case 9: rarity = try String(from: &reader)
      case 10: set = try String(from: &reader)
      case 11: setName = try String(from: &reader)
      case 12: text = try String(from: &reader)
      case 13: flavor = try String?(from: &reader)
      case 14: artist = try String(from: &reader)
      case 15: number = try String(from: &reader)
      case 16: power = try String?(from: &reader)
      case 17: toughness = try String?(from: &reader)
      case 18: layout = try String(from: &reader)
      case 19: multiverseid = try Int(from: &reader)
      case 20: imageUrl = try String(from: &reader)
      case 21: reserved = try Bool(from: &reader)
      case 22: rulings = try [GameCard.Ruling](from: &reader)
      case 23: printings = try [String](from: &reader)
      case 24: legalities = try [GameCard.Legality](from: &reader)
      case 25: id = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let name, let manaCost, let cmc, let colors, let colorIdentity, let type, let types,
      let subtypes, let rarity, let set, let setName, let text, let artist, let number, let layout,
      let multiverseid, let imageUrl, let reserved, let rulings, let printings, let legalities,
      let id
    else { throw object.missingField }
    self.name = name
    self.manaCost = manaCost
    self.cmc = cmc
    self.colors = colors
    self.colorIdentity = colorIdentity
    self.type = type
    self.supertypes = supertypes
    self.types = types
    self.subtypes = subtypes
    self.rarity = rarity
    self.set = set
    self.setName = setName
    self.text = text
    self.flavor = flavor
    self.artist = artist
    self.number = number
    self.power = power
    self.toughness = toughness
    self.layout = layout
    self.multiverseid = multiverseid
    self.imageUrl = imageUrl
    self.reserved = reserved
    self.rulings = rulings
    self.printings = printings
    self.legalities = legalities
    self.id = id
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(name, key: #""name":"#)
    try writer.write(manaCost, key: #""manaCost":"#)
    try writer.write(cmc, key: #""cmc":"#)
    try writer.write(colors, key: #""colors":"#)
    try writer.write(colorIdentity, key: #""colorIdentity":"#)
    try writer.write(type, key: #""type":"#)
    if let supertypes { try writer.write(supertypes, key: #""supertypes":"#) }
    try writer.write(types, key: #""types":"#)
    try writer.write(subtypes, key: #""subtypes":"#)
    try writer.write(rarity, key: #""rarity":"#)
    try writer.write(set, key: #""set":"#)
    try writer.write(setName, key: #""setName":"#)
    try writer.write(text, key: #""text":"#)
    if let flavor { try writer.write(flavor, key: #""flavor":"#) }
    try writer.write(artist, key: #""artist":"#)
    try writer.write(number, key: #""number":"#)
    if let power { try writer.write(power, key: #""power":"#) }
    if let toughness { try writer.write(toughness, key: #""toughness":"#) }
    try writer.write(layout, key: #""layout":"#)
    try writer.write(multiverseid, key: #""multiverseid":"#)
    try writer.write(imageUrl, key: #""imageUrl":"#)
    try writer.write(reserved, key: #""reserved":"#)
    try writer.write(rulings, key: #""rulings":"#)
    try writer.write(printings, key: #""printings":"#)
    try writer.write(legalities, key: #""legalities":"#)
    try writer.write(id, key: #""id":"#)
    writer.endObject()
  }
}

extension GameCard.Ruling: GeneratedCoding {
  private static let fields = JSON.Fields(
    "date", "text")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var date: String?
    var text: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: date = try String(from: &reader)
      case 1: text = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let date, let text else { throw object.missingField }
    self.date = date
    self.text = text
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(date, key: #""date":"#)
    try writer.write(text, key: #""text":"#)
    writer.endObject()
  }
}

extension GameCard.Legality: GeneratedCoding {
  private static let fields = JSON.Fields(
    "format", "legality")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var format: String?
    var legality: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: format = try String(from: &reader)
      case 1: legality = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let format, let legality else { throw object.missingField }
    self.format = format
    self.legality = legality
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(format, key: #""format":"#)
    try writer.write(legality, key: #""legality":"#)
    writer.endObject()
  }
}
