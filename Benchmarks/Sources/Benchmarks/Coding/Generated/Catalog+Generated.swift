// What a macro would write for this type, by hand.

import Keepsake

extension Catalog: GeneratedCoding {
  private static let fields = JSON.Fields(
    "areaNames", "audienceSubCategoryNames", "blockNames", "events", "performances",
    "seatCategoryNames", "subTopicNames", "subjectNames", "topicNames", "topicSubTopics",
    "venueNames")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var areaNames: [String: String]?
    var audienceSubCategoryNames: [String: String]?
    var blockNames: [String: String]?
    var events: [String: Catalog.Event]?
    var performances: [Catalog.Performance]?
    var seatCategoryNames: [String: String]?
    var subTopicNames: [String: String]?
    var subjectNames: [String: String]?
    var topicNames: [String: String]?
    var topicSubTopics: [String: [Int]]?
    var venueNames: [String: String]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: areaNames = try [String: String](from: &reader)
      case 1: audienceSubCategoryNames = try [String: String](from: &reader)
      case 2: blockNames = try [String: String](from: &reader)
      case 3: events = try [String: Catalog.Event](from: &reader)
      case 4: performances = try [Catalog.Performance](from: &reader)
      case 5: seatCategoryNames = try [String: String](from: &reader)
      case 6: subTopicNames = try [String: String](from: &reader)
      case 7: subjectNames = try [String: String](from: &reader)
      case 8: topicNames = try [String: String](from: &reader)
      case 9: topicSubTopics = try [String: [Int]](from: &reader)
      case 10: venueNames = try [String: String](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let areaNames, let audienceSubCategoryNames, let blockNames, let events, let performances,
      let seatCategoryNames, let subTopicNames, let subjectNames, let topicNames,
      let topicSubTopics, let venueNames
    else { throw object.missingField }
    self.areaNames = areaNames
    self.audienceSubCategoryNames = audienceSubCategoryNames
    self.blockNames = blockNames
    self.events = events
    self.performances = performances
    self.seatCategoryNames = seatCategoryNames
    self.subTopicNames = subTopicNames
    self.subjectNames = subjectNames
    self.topicNames = topicNames
    self.topicSubTopics = topicSubTopics
    self.venueNames = venueNames
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(areaNames, key: #""areaNames":"#)
    try writer.write(audienceSubCategoryNames, key: #""audienceSubCategoryNames":"#)
    try writer.write(blockNames, key: #""blockNames":"#)
    try writer.write(events, key: #""events":"#)
    try writer.write(performances, key: #""performances":"#)
    try writer.write(seatCategoryNames, key: #""seatCategoryNames":"#)
    try writer.write(subTopicNames, key: #""subTopicNames":"#)
    try writer.write(subjectNames, key: #""subjectNames":"#)
    try writer.write(topicNames, key: #""topicNames":"#)
    try writer.write(topicSubTopics, key: #""topicSubTopics":"#)
    try writer.write(venueNames, key: #""venueNames":"#)
    writer.endObject()
  }
}

extension Catalog.Event: GeneratedCoding {
  private static let fields = JSON.Fields(
    "description", "id", "logo", "name", "subTopicIds", "subjectCode", "subtitle", "topicIds")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var description: String?
    var id: Int?
    var logo: String?
    var name: String?
    var subTopicIds: [Int]?
    var subjectCode: Int?
    var subtitle: String?
    var topicIds: [Int]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: description = try String?(from: &reader)
      case 1: id = try Int(from: &reader)
      case 2: logo = try String?(from: &reader)
      case 3: name = try String(from: &reader)
      case 4: subTopicIds = try [Int](from: &reader)
      case 5: subjectCode = try Int?(from: &reader)
      case 6: subtitle = try String?(from: &reader)
      case 7: topicIds = try [Int](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let id, let name, let subTopicIds, let topicIds else { throw object.missingField }
    self.description = description
    self.id = id
    self.logo = logo
    self.name = name
    self.subTopicIds = subTopicIds
    self.subjectCode = subjectCode
    self.subtitle = subtitle
    self.topicIds = topicIds
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    if let description { try writer.write(description, key: #""description":"#) }
    try writer.write(id, key: #""id":"#)
    if let logo { try writer.write(logo, key: #""logo":"#) }
    try writer.write(name, key: #""name":"#)
    try writer.write(subTopicIds, key: #""subTopicIds":"#)
    if let subjectCode { try writer.write(subjectCode, key: #""subjectCode":"#) }
    if let subtitle { try writer.write(subtitle, key: #""subtitle":"#) }
    try writer.write(topicIds, key: #""topicIds":"#)
    writer.endObject()
  }
}

extension Catalog.Performance: GeneratedCoding {
  private static let fields = JSON.Fields(
    "eventId", "id", "logo", "name", "prices", "seatCategories", "seatMapImage", "start",
    "venueCode")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var eventId: Int?
    var id: Int?
    var logo: String?
    var name: String?
    var prices: [Catalog.Price]?
    var seatCategories: [Catalog.SeatCategory]?
    var seatMapImage: String?
    var start: Int?
    var venueCode: String?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: eventId = try Int(from: &reader)
      case 1: id = try Int(from: &reader)
      case 2: logo = try String?(from: &reader)
      case 3: name = try String?(from: &reader)
      case 4: prices = try [Catalog.Price](from: &reader)
      case 5: seatCategories = try [Catalog.SeatCategory](from: &reader)
      case 6: seatMapImage = try String?(from: &reader)
      case 7: start = try Int(from: &reader)
      case 8: venueCode = try String(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let eventId, let id, let prices, let seatCategories, let start, let venueCode else {
      throw object.missingField
    }
    self.eventId = eventId
    self.id = id
    self.logo = logo
    self.name = name
    self.prices = prices
    self.seatCategories = seatCategories
    self.seatMapImage = seatMapImage
    self.start = start
    self.venueCode = venueCode
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(eventId, key: #""eventId":"#)
    try writer.write(id, key: #""id":"#)
    if let logo { try writer.write(logo, key: #""logo":"#) }
    if let name { try writer.write(name, key: #""name":"#) }
    try writer.write(prices, key: #""prices":"#)
    try writer.write(seatCategories, key: #""seatCategories":"#)
    if let seatMapImage { try writer.write(seatMapImage, key: #""seatMapImage":"#) }
    try writer.write(start, key: #""start":"#)
    try writer.write(venueCode, key: #""venueCode":"#)
    writer.endObject()
  }
}

extension Catalog.Price: GeneratedCoding {
  private static let fields = JSON.Fields(
    "amount", "audienceSubCategoryId", "seatCategoryId")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var amount: Int?
    var audienceSubCategoryId: Int?
    var seatCategoryId: Int?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: amount = try Int(from: &reader)
      case 1: audienceSubCategoryId = try Int(from: &reader)
      case 2: seatCategoryId = try Int(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let amount, let audienceSubCategoryId, let seatCategoryId else {
      throw object.missingField
    }
    self.amount = amount
    self.audienceSubCategoryId = audienceSubCategoryId
    self.seatCategoryId = seatCategoryId
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(amount, key: #""amount":"#)
    try writer.write(audienceSubCategoryId, key: #""audienceSubCategoryId":"#)
    try writer.write(seatCategoryId, key: #""seatCategoryId":"#)
    writer.endObject()
  }
}

extension Catalog.SeatCategory: GeneratedCoding {
  private static let fields = JSON.Fields(
    "areas", "seatCategoryId")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var areas: [Catalog.Area]?
    var seatCategoryId: Int?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: areas = try [Catalog.Area](from: &reader)
      case 1: seatCategoryId = try Int(from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let areas, let seatCategoryId else { throw object.missingField }
    self.areas = areas
    self.seatCategoryId = seatCategoryId
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(areas, key: #""areas":"#)
    try writer.write(seatCategoryId, key: #""seatCategoryId":"#)
    writer.endObject()
  }
}

extension Catalog.Area: GeneratedCoding {
  private static let fields = JSON.Fields(
    "areaId", "blockIds")

  init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    var areaId: Int?
    var blockIds: [Int]?
    var object = try reader.beginObject(Self.fields)
    while let field = try reader.nextField(of: &object) {
      switch field {
      case 0: areaId = try Int(from: &reader)
      case 1: blockIds = try [Int](from: &reader)
      default: try reader.skipValue()
      }
    }
    guard let areaId, let blockIds else { throw object.missingField }
    self.areaId = areaId
    self.blockIds = blockIds
  }

  func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.beginObject()
    try writer.write(areaId, key: #""areaId":"#)
    try writer.write(blockIds, key: #""blockIds":"#)
    writer.endObject()
  }
}
