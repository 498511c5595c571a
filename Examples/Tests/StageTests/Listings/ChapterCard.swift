import Stage

@testable import Cards

/// The card of the chapter, which encodes and saves itself.
enum ChapterCard {
  @MainActor static var log: [String] = []

  /// The first step, which only says what it will do.
  struct PrintingCard {
    @MainActor func save() {
      print("Saving data")
    }

    @MainActor private func print(_ text: String) { ChapterCard.log.append(text) }
  }

  /// An angle that only its degrees make.
  struct Angle: Codable, Equatable {
    var degrees: Double
    var radians: Double { degrees * .pi / 180 }

    init(degrees: Double) {
      self.degrees = degrees
    }

    enum CodingKeys: CodingKey {
      case degrees
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let degrees =
        try container
        .decode(Double.self, forKey: .degrees)
      self.init(degrees: degrees)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(degrees, forKey: .degrees)
    }
  }

  struct TextElement: CardElement {
    var id = UUID()
    var transform = Transform()
  }

  struct ImageElement: CardElement {
    var id = UUID()
    var transform = Transform()
    var imageFilename: String?
    var frame: AnyShape?

    enum CodingKeys: CodingKey {
      case transform, imageFilename, frame
    }

    init(imageFilename: String? = nil, frame: AnyShape? = nil) {
      self.imageFilename = imageFilename
      self.frame = frame
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      transform = try container.decode(Transform.self, forKey: .transform)
      imageFilename = try container.decodeIfPresent(String.self, forKey: .imageFilename)
      if let index =
        try container.decodeIfPresent(Int.self, forKey: .frame)
      {
        frame = Shapes.shapes[index]
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(transform, forKey: .transform)
      try container.encode(imageFilename, forKey: .imageFilename)
      if let index =
        Shapes.shapes.firstIndex(where: { $0 == frame })
      {
        try container.encode(index, forKey: .frame)
      }
    }
  }

  struct Card: Codable {
    var id = UUID()
    var elements: [any CardElement] = []

    enum CodingKeys: CodingKey {
      case id, imageElements
    }

    init() {}

    init(from decoder: any Decoder) throws {
      let container =
        try decoder
        .container(keyedBy: CodingKeys.self)
      // 1
      let id = try container.decode(String.self, forKey: .id)
      self.id = UUID(uuidString: id) ?? UUID()
      // 2
      elements +=
        try container
        .decode([ImageElement].self, forKey: .imageElements)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id.uuidString, forKey: .id)
      var imageElements: [ImageElement] = []
      for element in elements {
        if let element = element as? ImageElement {
          imageElements.append(element)
        }
      }
      try container.encode(imageElements, forKey: .imageElements)
    }

    @MainActor func save() {
      do {
        // 1
        let encoder = JSONEncoder()
        // 2
        let data = try encoder.encode(self)
        // 3
        let filename = "\(id).rwcard"
        if let url = FileManager.documentURL?
          .appendingPathComponent(filename)
        {
          // 4
          try data.write(to: url)
        }
      } catch {
        print(error.localizedDescription)
      }
    }
  }

  struct Team: Codable, Equatable {
    let names: [String]
    let count: Int

    @MainActor static func save() {
      do {
        // 1
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        // 2
        let data = try encoder.encode(teamData)
        // 3
        if let url = FileManager.documentURL?
          .appendingPathComponent("TeamData")
        {
          try data.write(to: url)
        }
      } catch {
        print(error.localizedDescription)
      }
    }

    @MainActor static func load() {
      // 1
      if let url = FileManager.documentURL?
        .appendingPathComponent("TeamData")
      {
        do {
          // 2
          let data = try Data(contentsOf: url)
          // 3
          let decoder = JSONDecoder()
          // 4
          let team = try decoder.decode(Team.self, from: data)
          print(team)
        } catch {
          print(error.localizedDescription)
        }
      }
    }

    @MainActor private static func print(_ text: Any) { ChapterCard.log.append("\(text)") }
  }

  static let teamData = Team(
    names: [
      "Richard", "Libranner", "Caroline", "Audrey", "Manda",
    ], count: 5)
}

extension FileManager {
  /// The directory of documents, which the chapter's starter project provides.
  @MainActor static var documentURL: URL?
}
