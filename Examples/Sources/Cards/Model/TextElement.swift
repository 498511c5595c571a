import KeepsakeMacros
import Stage

/// A line of text on a card, as large as its place allows.
@Storable
struct TextElement: CardElement {
  @Default(Self.unnamed) var id = UUID()
  var transform = Transform(size: CGSize(width: 900, height: 260))
  var text = ""
  @Coded(ColorComponents()) @IfUnreadable(.useDefault) var textColor = Palette.ink
  /// The name of the letters; one that this version does not know is kept, and drawn as the default.
  var textFont = Font.Design.default.rawValue
  /// What only a newer version understands.
  @Unknown var others: [String: JSON.Value] = [:]

  var design: Font.Design { Font.Design(rawValue: textFont) ?? .default }
}
