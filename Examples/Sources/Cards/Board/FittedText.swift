import Stage

/// A text that fills its room on a `Board`: in one line of letters as large as fits, or in lines of
/// letters of a size.
struct FittedText: View {
  /// It has no body.
  private let string: String
  private let size: Double?

  /// Shows a string.
  ///
  /// - Parameter size: The size of the letters in the board's units; nil for one line that fits.
  init(_ string: some StringProtocol, size: Double? = nil) {
    self.string = String(string)
    self.size = size
  }
}

extension FittedText: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    if let size {
      return [
        .element(
          Element(
            id: id, attributes: ["class": "wrapped"],
            style: ["font-size": "calc(\(size) * var(--unit))"], text: string), [])
      ]
    }
    let drawing = Element(id: id, tag: "svg", attributes: ["class": "fitted"])
    let text = Element(id: id + "t", tag: "text", text: string)
    return [.element(drawing, [.element(text, [])])]
  }
}
