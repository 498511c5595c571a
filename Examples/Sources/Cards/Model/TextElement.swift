import KeepsakeMacros
import Stage

/// A text on a card: a line as large as its box allows, or lines with letters of a size.
@Storable
struct TextElement: CardElement {
  @Default(Self.unnamed) var id = UUID()
  var transform = Transform(size: CGSize(width: 900, height: 260))
  var text = ""
  @Coded(ColorComponents()) @IfUnreadable(.useDefault) var textColor = Palette.ink
  /// The name of the letters; one that this version does not know is kept, and drawn as the default.
  var textFont = Font.Design.default.rawValue
  /// The size of the letters, in the units of the card; nil for one line that fills the box.
  @IfUnreadable(.useDefault) var fontSize: Double?
  /// What only a newer version understands.
  @Unknown var others: [String: JSON.Value] = [:]

  static let defaultFontSize = 120.0
  static let fontSizes = 20.0...600.0
  /// The least height of a box that a line comes to fill.
  static let filledHeight = 260.0

  var design: Font.Design { Font.Design(rawValue: textFont) ?? .default }

  /// The size that letters are drawn in.
  var shownFontSize: Double? {
    fontSize.map { min(max($0, Self.fontSizes.lowerBound), Self.fontSizes.upperBound) }
  }

  /// The box is shown as high as its lines need, as far as that can be known here: the page measures them.
  var shownTransform: Transform {
    guard let size = shownFontSize else { return transform }
    let perLine = max(1, (transform.size.width / (size * 0.6)).rounded(.down))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).reduce(0.0) {
      $0 + max(1, (Double($1.count) / perLine).rounded(.up))
    }
    var transform = transform
    let height = min(lines * size * 1.2, Settings.cardSize.height)
    transform.size.height = max(transform.size.height, height)
    return transform
  }
}
