import Stage

/// An image on a card, whose bytes are a file beside the card's.
struct ImageElement: CardElement {
  var id = UUID()
  var transform = Transform()
  var imageFilename: String?
  /// The frame's place in the list of shapes, which is what is kept. One that a newer version has
  /// added is no place in this version's list: it is drawn as no frame, and kept.
  private(set) var frameIndex: Int?

  /// The outline of the image, if it has one that this version knows.
  var frame: AnyShape? {
    get {
      frameIndex.flatMap { Shapes.shapes.indices.contains($0) ? Shapes.shapes[$0] : nil }
    }
    set {
      frameIndex = Shapes.shapes.firstIndex { $0 == newValue }
    }
  }
}

extension ImageElement {
  enum CodingKeys: CodingKey {
    case id, transform, imageFilename, frame
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decodeIfPresent(UUID.self, forKey: .id) ?? Self.unnamed
    transform = try container.decodeIfPresent(Transform.self, forKey: .transform) ?? Transform()
    imageFilename = try container.decodeIfPresent(String.self, forKey: .imageFilename)
    // What is no number is a newer version's, and stays in the file as it is.
    frameIndex = try? container.decodeIfPresent(Int.self, forKey: .frame)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(transform, forKey: .transform)
    try container.encodeIfPresent(imageFilename, forKey: .imageFilename)
    try container.encodeIfPresent(frameIndex, forKey: .frame)
  }
}
