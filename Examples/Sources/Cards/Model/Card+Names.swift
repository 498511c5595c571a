import Stage

extension Card {
  /// What the card is called: its name, or else its words, or what is on it.
  var title: String {
    if let name, !name.isEmpty { return name }
    let words = elements.compactMap { ($0 as? TextElement)?.line }.joined(separator: " ")
    if !words.isEmpty { return words.count > 40 ? words.prefix(40) + "…" : words }
    switch elements.count {
    case 0: return "Empty card"
    case 1: return "Card with an image"
    case let count: return "Card with \(count) images"
    }
  }

  /// The title as the name of a file.
  var fileName: String {
    String(title.map { $0.isLetter || $0.isNumber || " -_".contains($0) ? $0 : "_" })
  }

  /// What an element of the card is called.
  func name(of element: any CardElement) -> String {
    if let text = element as? TextElement { return "Text \(text.line)" }
    let images = elements.filter { $0 is ImageElement }
    let number = images.firstIndex { $0.id == element.id }.map { $0 + 1 } ?? 0
    return "Image \(number)"
  }
}

extension TextElement {
  /// The text in one line.
  fileprivate var line: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
