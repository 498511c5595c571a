/// A control that does something when it is pressed.
public struct Button<Label: View>: View {
  /// It has no body.
  public typealias Body = Never

  private let action: @MainActor () -> Void
  private let label: Label

  /// Makes a button of its action and what it shows.
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }
}

extension Button where Label == Text {
  /// Makes a button with a title.
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.init(action: action) { Text(title) }
  }
}

extension Button: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let element = Element(
      id: scope.id, tag: "button", attributes: ["type": "button", "data-tap": ""], action: action)
    return [.element(element, scope.child(.label).resolve(label))]
  }
}
