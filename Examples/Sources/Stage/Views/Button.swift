/// A control that does something when it is pressed.
public struct Button<Label: View>: View {
  private let action: @MainActor () -> Void
  private let label: Label
  private var role: ButtonRole?

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

  /// Makes a button with a title that leaves a sheet, once the user has agreed if a text was changed there.
  public init(
    _ title: some StringProtocol, role: ButtonRole, action: @escaping @MainActor () -> Void
  ) {
    self.init(title, action: action)
    self.role = role
  }
}

extension View {
  /// Sets how a button looks.
  public func buttonStyle(_ style: ButtonStyle) -> some View {
    merged(attributes: ["class": style.rawValue])
  }

  /// Has a button not be pressed.
  public func disabled(_ isDisabled: Bool) -> some View {
    merged(attributes: isDisabled ? ["disabled": ""] : [:])
  }

  /// Has a button be pressed with keys, each together with control or command; a capital letter is
  /// one with shift.
  ///
  /// - Parameter takesFocus: Whether the keyboard is then the button's, also if the user was writing.
  public func keyboardShortcut(_ keys: Character..., takesFocus: Bool = false) -> some View {
    merged(
      attributes: takesFocus
        ? ["data-shortcut": String(keys), "data-takes-focus": ""] : ["data-shortcut": String(keys)])
  }
}

extension View {
  /// Has the browser's Back press the button, which leaves the view that it is in.
  public func navigatesBack() -> some View {
    merged(attributes: ["data-back": ""])
  }
}

extension Button: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    var element = Element(
      id: scope.id, tag: "button", attributes: ["type": "button", "data-tap": ""])
    element.on(.tap) { _ in action() }
    if role == .cancel { element.attributes["data-cancel"] = "" }
    return [.element(element, scope.child(.label).resolve(label))]
  }
}
