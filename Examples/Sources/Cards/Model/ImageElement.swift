import KeepsakeMacros
import Stage

/// An image on a card, whose bytes are a file beside the card's.
@Storable
struct ImageElement: CardElement {
  @Default(Self.unnamed) var id = UUID()
  var transform = Transform()
  var imageFilename: String?
  /// The frame's place in the list of shapes, which is what is kept. One that a newer version has
  /// added is no place in this version's list: it is drawn as no frame, and kept.
  @Key("frame") @IfUnreadable(.useDefault) private(set) var frameIndex: Int?
  /// What only a newer version understands.
  @Unknown var others: [String: JSON.Value] = [:]

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
