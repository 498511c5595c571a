public import Keepsake

/// A text that the user writes: a line, or several.
public struct TextField: View {
  private let title: String
  private let text: Binding<String>
  private let axis: Axis

  /// Makes a field for a text.
  ///
  /// - Parameter axis: Where the field grows; one that grows downward takes several lines.
  public init(
    _ title: some StringProtocol, text: Binding<String>, axis: Axis = .horizontal
  ) {
    self.title = String(title)
    self.text = text
    self.axis = axis
  }
}

extension TextField: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let isLine = axis == .horizontal
    var field = Element(id: scope.id, tag: isLine ? "input" : "textarea")
    field.attributes = [
      (isLine ? "type" : "rows"): isLine ? "text" : "4", "class": "field", "data-input": "",
      "aria-label": title, "placeholder": title, "value": text.wrappedValue, "autocomplete": "off",
      "maxlength": "\(Self.limit)",
    ]
    field.on(.input) { [text] event in
      if let value = event.value { text.wrappedValue = String(value.prefix(Self.limit)) }
    }
    return [.element(field, [])]
  }

  private static let limit = 20_000
}

extension View {
  /// Does something when the user presses the return key in a field; in one of several lines, together
  /// with control or command.
  public func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View {
    merged(attributes: ["data-submit": ""], tap: action)
  }
}
