import Stage

/// What a window does on its card, with which it goes on after a restart.
struct EditingState: Codable, Sendable {
  /// A sheet over the card, with what it changes as that was when the sheet came.
  enum Sheet: Codable, Sendable {
    case card(name: String?)
    case background
    case newText(TextElement)
    case text(TextElement)
    case frame(ImageElement)
  }

  /// The card; nil where the window shows the list.
  var card: UUID?
  /// The chosen element.
  var selection: UUID?
  /// The open sheet.
  var sheet: Sheet?
  /// The name as the sheet has it now.
  var name = ""
  /// The text as the sheet has it now.
  var text = TextElement()

  /// Opens a sheet, in which nothing is changed yet.
  mutating func open(_ sheet: Sheet) {
    self.sheet = sheet
    switch sheet {
    case .card(let name): self.name = name ?? ""
    case .newText(let element), .text(let element): text = element
    case .background, .frame: break
    }
  }
}
