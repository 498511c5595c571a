public import Keepsake

/// A line of text that the user writes.
public struct TextField: View {
  /// It has no body.
  public typealias Body = Never

  private let title: String
  private let text: Binding<String>

  /// Makes a field for a text.
  public init(_ title: some StringProtocol, text: Binding<String>) {
    self.title = String(title)
    self.text = text
  }
}

extension TextField: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    var field = Element(id: scope.id, tag: "input")
    field.attributes = [
      "type": "text", "class": "field", "data-input": "", "aria-label": title,
      "placeholder": title, "value": text.wrappedValue, "autocomplete": "off",
      "maxlength": "\(Self.limit)",
    ]
    field.handlers.input = { [text] in text.wrappedValue = String($0.prefix(Self.limit)) }
    return [.element(field, [])]
  }

  private static let limit = 1000
}

extension View {
  /// Does something when the user presses the return key in a field.
  public func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View {
    merged(attributes: ["data-submit": ""], action: action)
  }
}
