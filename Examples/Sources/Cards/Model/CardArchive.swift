import Stage

/// A card in one file, together with its images.
struct CardArchive: Codable, Sendable {
  /// The extension of the file's name.
  static let pathExtension = "card"

  var card: Card
  /// The images by their names.
  var images: [String: Data] = [:]

  /// The names of the images on the card.
  var imageNames: Set<String> {
    Set(card.elements.compactMap { ($0 as? ImageElement)?.imageFilename })
  }
}
