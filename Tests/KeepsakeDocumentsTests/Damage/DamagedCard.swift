import Foundation
import KeepsakeCoding
import KeepsakeDocuments

/// A card with all that can be damaged: nesting, numbers, an enumeration, an asset.
struct DamagedCard: Codable, Identifiable, Hashable, Sendable {
  enum Frame: Int, Codable { case none, oval, heart, star }

  struct Element: Codable, Hashable {
    var frame: Frame
    var text: String
    var size: [Double]
    var image: Asset?
  }

  var id: String
  var title: String
  var elements: [Element]

  init(id: String) {
    self.id = id
    title = "A card of “\(id)”"
    elements = [
      Element(frame: .heart, text: "Grüße\n\t\"quoted\"", size: [120.5, -3e-7], image: nil),
      Element(
        frame: .none, text: "🎂", size: [],
        image: Asset(name: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F.png")),
    ]
  }

  /// The card's file as a store writes it.
  var text: [UInt8] {
    get throws {
      let encoder = JSON.Encoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return [UInt8](try encoder.encode(self)) + [0x0A]
    }
  }
}

/// A file that is to be loaded, and what is to come of it.
struct DamagedFile {
  /// What is to come of a file.
  enum Outcome: Hashable {
    case document
    /// An error with the code, at a place in the text where that is known.
    case error(String, line: Int? = nil, column: Int? = nil)
  }

  var id: String
  var bytes: [UInt8]
  var outcome: Outcome
}
