// What a macro would write for this type, by hand.

import Keepsake

extension GameCard: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var name: String = ""
    var manaCost: String = ""
    var cmc: Double = 0
    var colors: [String] = []
    var colorIdentity: [String] = []
    var type: String = ""
    var supertypes: [String]?
    var types: [String] = []
    var subtypes: [String] = []
    var rarity: String = ""
    var set: String = ""
    var setName: String = ""
    var text: String = ""
    var flavor: String?
    var artist: String = ""
    var number: String = ""
    var power: String?
    var toughness: String?
    var layout: String = ""
    var multiverseid: Int = 0
    var imageUrl: String = ""
    var reserved: Bool = false
    var rulings: [GameCard.Ruling] = []
    var printings: [String] = []
    var legalities: [GameCard.Legality] = []
    var id: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 2:
        if key.matches("id") {
          id = try reader.readString()
          found |= 1 &<< 21
        } else {
          try reader.skipValue()
        }
      case 3:
        if key.matches("cmc") {
          cmc = try reader.readDouble()
          found |= 1 &<< 2
        } else if key.matches("set") {
          set = try reader.readString()
          found |= 1 &<< 9
        } else {
          try reader.skipValue()
        }
      case 4:
        if key.matches("name") {
          name = try reader.readString()
          found |= 1 &<< 0
        } else if key.matches("type") {
          type = try reader.readString()
          found |= 1 &<< 5
        } else if key.matches("text") {
          text = try reader.readString()
          found |= 1 &<< 11
        } else {
          try reader.skipValue()
        }
      case 5:
        if key.matches("types") {
          types = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readString() }
          found |= 1 &<< 6
        } else if key.matches("power") {
          if !(try reader.readNull()) { power = try reader.readString() }
        } else {
          try reader.skipValue()
        }
      case 6:
        if key.matches("colors") {
          colors = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readString() }
          found |= 1 &<< 3
        } else if key.matches("rarity") {
          rarity = try reader.readString()
          found |= 1 &<< 8
        } else if key.matches("flavor") {
          if !(try reader.readNull()) { flavor = try reader.readString() }
        } else if key.matches("artist") {
          artist = try reader.readString()
          found |= 1 &<< 12
        } else if key.matches("number") {
          number = try reader.readString()
          found |= 1 &<< 13
        } else if key.matches("layout") {
          layout = try reader.readString()
          found |= 1 &<< 14
        } else {
          try reader.skipValue()
        }
      case 7:
        if key.matches("setName") {
          setName = try reader.readString()
          found |= 1 &<< 10
        } else if key.matches("rulings") {
          rulings = try reader.readArray { (reader) throws(JSON.Fault) in
            try GameCard.Ruling(from: &reader)
          }
          found |= 1 &<< 18
        } else {
          try reader.skipValue()
        }
      case 8:
        if key.matches("manaCost") {
          manaCost = try reader.readString()
          found |= 1 &<< 1
        } else if key.matches("subtypes") {
          subtypes = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readString() }
          found |= 1 &<< 7
        } else if key.matches("imageUrl") {
          imageUrl = try reader.readString()
          found |= 1 &<< 16
        } else if key.matches("reserved") {
          reserved = try reader.readBool()
          found |= 1 &<< 17
        } else {
          try reader.skipValue()
        }
      case 9:
        if key.matches("toughness") {
          if !(try reader.readNull()) { toughness = try reader.readString() }
        } else if key.matches("printings") {
          printings = try reader.readArray { (reader) throws(JSON.Fault) in try reader.readString()
          }
          found |= 1 &<< 19
        } else {
          try reader.skipValue()
        }
      case 10:
        if key.matches("supertypes") {
          if !(try reader.readNull()) {
            supertypes = try reader.readArray { (reader) throws(JSON.Fault) in
              try reader.readString()
            }
          }
        } else if key.matches("legalities") {
          legalities = try reader.readArray { (reader) throws(JSON.Fault) in
            try GameCard.Legality(from: &reader)
          }
          found |= 1 &<< 20
        } else {
          try reader.skipValue()
        }
      case 12:
        if key.matches("multiverseid") {
          multiverseid = try reader.readInteger()
          found |= 1 &<< 15
        } else {
          try reader.skipValue()
        }
      case 13:
        if key.matches("colorIdentity") {
          colorIdentity = try reader.readArray { (reader) throws(JSON.Fault) in
            try reader.readString()
          }
          found |= 1 &<< 4
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3fffff else { throw JSON.Fault(.missingKey, at: opening) }
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
    writer.key(prejoined: #""name":"#)
    writer.write(name)
    writer.key(prejoined: #""manaCost":"#)
    writer.write(manaCost)
    writer.key(prejoined: #""cmc":"#)
    try writer.write(cmc)
    writer.key(prejoined: #""colors":"#)
    try writer.beginArray()
    for element in colors {
      writer.write(element)
    }
    writer.endArray()
    writer.key(prejoined: #""colorIdentity":"#)
    try writer.beginArray()
    for element in colorIdentity {
      writer.write(element)
    }
    writer.endArray()
    writer.key(prejoined: #""type":"#)
    writer.write(type)
    if let supertypes {
      writer.key(prejoined: #""supertypes":"#)
      try writer.beginArray()
      for element in supertypes {
        writer.write(element)
      }
      writer.endArray()
    }
    writer.key(prejoined: #""types":"#)
    try writer.beginArray()
    for element in types {
      writer.write(element)
    }
    writer.endArray()
    writer.key(prejoined: #""subtypes":"#)
    try writer.beginArray()
    for element in subtypes {
      writer.write(element)
    }
    writer.endArray()
    writer.key(prejoined: #""rarity":"#)
    writer.write(rarity)
    writer.key(prejoined: #""set":"#)
    writer.write(set)
    writer.key(prejoined: #""setName":"#)
    writer.write(setName)
    writer.key(prejoined: #""text":"#)
    writer.write(text)
    if let flavor {
      writer.key(prejoined: #""flavor":"#)
      writer.write(flavor)
    }
    writer.key(prejoined: #""artist":"#)
    writer.write(artist)
    writer.key(prejoined: #""number":"#)
    writer.write(number)
    if let power {
      writer.key(prejoined: #""power":"#)
      writer.write(power)
    }
    if let toughness {
      writer.key(prejoined: #""toughness":"#)
      writer.write(toughness)
    }
    writer.key(prejoined: #""layout":"#)
    writer.write(layout)
    writer.key(prejoined: #""multiverseid":"#)
    writer.write(multiverseid)
    writer.key(prejoined: #""imageUrl":"#)
    writer.write(imageUrl)
    writer.key(prejoined: #""reserved":"#)
    writer.write(reserved)
    writer.key(prejoined: #""rulings":"#)
    try writer.beginArray()
    for element in rulings {
      try element.write(to: &writer)
    }
    writer.endArray()
    writer.key(prejoined: #""printings":"#)
    try writer.beginArray()
    for element in printings {
      writer.write(element)
    }
    writer.endArray()
    writer.key(prejoined: #""legalities":"#)
    try writer.beginArray()
    for element in legalities {
      try element.write(to: &writer)
    }
    writer.endArray()
    writer.key(prejoined: #""id":"#)
    writer.write(id)
    writer.endObject()
  }
}

extension GameCard.Ruling: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var date: String = ""
    var text: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 4:
        if key.matches("date") {
          date = try reader.readString()
          found |= 1 &<< 0
        } else if key.matches("text") {
          text = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3 else { throw JSON.Fault(.missingKey, at: opening) }
    self.date = date
    self.text = text
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""date":"#)
    writer.write(date)
    writer.key(prejoined: #""text":"#)
    writer.write(text)
    writer.endObject()
  }
}

extension GameCard.Legality: GeneratedCoding {
  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var format: String = ""
    var legality: String = ""
    var found: UInt64 = 0
    let opening = reader.offset
    var isFirst = true
    try reader.beginObject()
    while let key = try reader.nextKey(&isFirst) {
      switch key.count {
      case 6:
        if key.matches("format") {
          format = try reader.readString()
          found |= 1 &<< 0
        } else {
          try reader.skipValue()
        }
      case 8:
        if key.matches("legality") {
          legality = try reader.readString()
          found |= 1 &<< 1
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
    guard found == 0x3 else { throw JSON.Fault(.missingKey, at: opening) }
    self.format = format
    self.legality = legality
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    writer.key(prejoined: #""format":"#)
    writer.write(format)
    writer.key(prejoined: #""legality":"#)
    writer.write(legality)
    writer.endObject()
  }
}
