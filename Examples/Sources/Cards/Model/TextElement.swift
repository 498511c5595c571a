import Stage

/// A line of text on a card, as large as its place allows.
struct TextElement: CardElement {
  var id = UUID()
  var transform = Transform(size: CGSize(width: 900, height: 260))
  var text = ""
  var textColor = Palette.ink
  /// The name of the letters; one that this version does not know is kept, and drawn as the default.
  var textFont = Font.Design.default.rawValue

  var design: Font.Design { Font.Design(rawValue: textFont) ?? .default }
}

extension TextElement {
  enum CodingKeys: CodingKey {
    case id, transform, text, textColor, textFont
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decodeIfPresent(UUID.self, forKey: .id) ?? Self.unnamed
    transform = try container.decodeIfPresent(Transform.self, forKey: .transform) ?? Transform()
    text = try container.decode(String.self, forKey: .text)
    textColor = container.decodeColor(forKey: .textColor) ?? textColor
    textFont = try container.decodeIfPresent(String.self, forKey: .textFont) ?? textFont
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(transform, forKey: .transform)
    try container.encode(text, forKey: .text)
    try container.encode(textColor.colorComponents(), forKey: .textColor)
    try container.encode(textFont, forKey: .textFont)
  }
}
