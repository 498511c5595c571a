/// A text of the shape and size of `citm_catalog.json`: many small dictionaries, and a third of it
/// spaces.
struct CatalogSample {
  private var random = SampleRandom(seed: 42)

  static func json() -> String {
    var sample = CatalogSample()
    return sample.catalog().json(indentation: 4)
  }

  private mutating func catalog() -> Node {
    let events = (0..<184).map { _ in 138_586_341 + random.number(0...200_000_000) }
    let topics = (0..<4).map { 107_888_604 + $0 * 7 }
    let subTopics = (0..<19).map { 337_184_262 + $0 * 7 }
    let categories = (0..<64).map { 338_937_235 + $0 * 61 }
    return .members([
      ("areaNames", names(17, from: 205_705_993)),
      ("audienceSubCategoryNames", .members([("337100890", "Abonné")])),
      ("blockNames", .members([])),
      ("events", .members(events.map { ("\($0)", event($0, topics, subTopics)) })),
      ("performances", .list((0..<243).map { _ in performance(events, categories) })),
      ("seatCategoryNames", .members(categories.map { ("\($0)", name()) })),
      ("subTopicNames", .members(subTopics.map { ("\($0)", name()) })),
      ("subjectNames", .members([])),
      ("topicNames", .members(topics.map { ("\($0)", name()) })),
      ("topicSubTopics", .members(topics.map { ("\($0)", Node(Array(subTopics.prefix(7)))) })),
      ("venueNames", .members([("PLEYEL_PLEYEL", "Salle Pleyel")])),
    ])
  }

  private mutating func names(_ count: Int, from first: Int) -> Node {
    .members((0..<count).map { ("\(first + $0 * 37)", name()) })
  }

  private mutating func name() -> Node {
    .text(random.words(2...4) + random.element(["", " - 1er étage", ", côté jardin", " impair"]))
  }

  private mutating func event(_ number: Int, _ topics: [Int], _ subTopics: [Int]) -> Node {
    let logo = "/images/UE0AAAAACEKo6QAAAAZDSVRN"
    return .members([
      ("description", .null), ("id", Node(number)),
      ("logo", random.happens(percent: 40) ? .text(logo) : .null), ("name", name()),
      ("subTopicIds", Node((0..<random.number(1...5)).map { _ in random.element(subTopics) })),
      ("subjectCode", .null), ("subtitle", .null),
      ("topicIds", Node((0..<random.number(1...3)).map { _ in random.element(topics) })),
    ])
  }

  private mutating func performance(_ events: [Int], _ categories: [Int]) -> Node {
    let sold = (0..<random.number(2...7)).map { _ in random.element(categories) }
    return .members([
      ("eventId", Node(random.element(events))),
      ("id", Node(339_887_544 + random.number(0...9999))),
      ("logo", .null), ("name", .null),
      (
        "prices",
        .list(
          sold.map { category in
            .members([
              ("amount", Node(random.number(20...400) * 250)),
              ("audienceSubCategoryId", 337_100_890), ("seatCategoryId", Node(category)),
            ])
          })
      ),
      (
        "seatCategories",
        .list(
          sold.map { category in
            .members([
              ("areas", .list((0..<random.number(1...14)).map { _ in area() })),
              ("seatCategoryId", Node(category)),
            ])
          })
      ),
      ("seatMapImage", .null),
      ("start", Node(1_372_701_600_000 + random.number(0...90_000) * 300_000)),
      ("venueCode", "PLEYEL_PLEYEL"),
    ])
  }

  private mutating func area() -> Node {
    .members([
      ("areaId", Node(205_705_993 + random.number(0...16) * 37)), ("blockIds", .list([])),
    ])
  }
}
