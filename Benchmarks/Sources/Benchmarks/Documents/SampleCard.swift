import Foundation
import Keepsake

/// A document of about 2 KB, as a cards app keeps it.
struct SampleCard: Codable, Identifiable, Sendable, Equatable {
  struct Element: Codable, Sendable, Equatable {
    var id: UUID
    var kind: String
    var text: String?
    var image: String?
    var frame: Int?
    var width: Double
    var height: Double
    var rotation: Double
    var offset: [Double]
  }

  var id: UUID
  var title: String
  var background: String
  var isFavorite: Bool
  var created: Double
  var elements: [Element]

  static let pathExtension = "rwcard"

  /// One of many cards, the same for the same number.
  static func number(_ number: Int) -> SampleCard {
    var random = SampleRandom(seed: UInt64(number + 1))
    func double(_ limit: Double) -> Double {
      (Double(random.next() % 1_000_000) / 1_000_000 * limit * 1000).rounded() / 1000
    }
    func uuid() -> UUID {
      var bytes = (random.next(), random.next())
      return withUnsafeBytes(of: &bytes) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }
    let id = uuid()
    let elements = (0..<4).map { index in
      Element(
        id: uuid(), kind: index % 3 == 0 ? "image" : "text",
        text: index % 3 == 0 ? nil : "Text \(index) of the card with the number \(number)",
        image: index % 3 == 0 ? "photo-\(number)-\(index).png" : nil,
        frame: index % 2 == 0 ? index : nil, width: double(800), height: double(600),
        rotation: double(360), offset: [double(400), double(400)])
    }
    return SampleCard(
      id: id, title: "Card \(number) – Grüße", background: "#A1B2C3", isFavorite: number % 7 == 0,
      created: 800_000_000 + double(1_000_000), elements: elements)
  }

  /// The text as the package writes it, which is the file of every contestant.
  var text: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }
}
