import KeepsakeMacros

/// What a concert hall sells in a year: dictionaries by number, and performances.
@Storable struct StoredCatalog: Equatable, Sendable {
  var areaNames: [String: String]
  var audienceSubCategoryNames: [String: String]
  var blockNames: [String: String]
  var events: [String: Event]
  var performances: [Performance]
  var seatCategoryNames: [String: String]
  var subTopicNames: [String: String]
  var subjectNames: [String: String]
  var topicNames: [String: String]
  var topicSubTopics: [String: [Int]]
  var venueNames: [String: String]
}

extension StoredCatalog {
  @Storable struct Event: Equatable, Sendable {
    var description: String?
    var id: Int
    var logo: String?
    var name: String
    var subTopicIds: [Int]
    var subjectCode: Int?
    var subtitle: String?
    var topicIds: [Int]
  }
}

extension StoredCatalog {
  @Storable struct Performance: Equatable, Sendable {
    var eventId: Int
    var id: Int
    var logo: String?
    var name: String?
    var prices: [Price]
    var seatCategories: [SeatCategory]
    var seatMapImage: String?
    var start: Int
    var venueCode: String
  }
}

extension StoredCatalog {
  @Storable struct Price: Equatable, Sendable {
    var amount: Int
    var audienceSubCategoryId: Int
    var seatCategoryId: Int
  }
}

extension StoredCatalog {
  @Storable struct SeatCategory: Equatable, Sendable {
    var areas: [Area]
    var seatCategoryId: Int
  }
}

extension StoredCatalog {
  @Storable struct Area: Equatable, Sendable {
    var areaId: Int
    var blockIds: [Int]
  }
}
