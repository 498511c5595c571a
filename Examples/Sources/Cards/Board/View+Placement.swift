import Stage

extension View {
  /// Puts the view on the `Board` around it.
  func placed(_ placement: Placement) -> some View {
    modified(Decoration(Element(attributes: ["class": "placed", "data-place": placement.page])))
  }

  /// Puts the view on the `Board` around it, where the user moves, resizes and turns it: by hand, or
  /// with the keys that the page describes.
  ///
  /// - Parameters:
  ///   - placement: Where the view is.
  ///   - label: What a screen reader calls it.
  ///   - isSelected: Whether it is the one that is worked on.
  ///   - onSelect: Called when the user chooses it.
  ///   - onEdit: Called for a double tap and the return key.
  ///   - onDelete: Called for the delete key.
  ///   - onChange: Called with each new placement, also on the way to the last one, and with whether a
  ///     movement begins with it.
  func movable(
    _ placement: Placement, label: some StringProtocol, isSelected: Bool,
    onSelect: @escaping @MainActor () -> Void, onEdit: @escaping @MainActor () -> Void,
    onDelete: @escaping @MainActor () -> Void,
    onChange: @escaping @MainActor (Placement, Bool) -> Void
  ) -> some View {
    var element = Element(attributes: [
      "class": "placed movable", "data-place": placement.page, "data-movable": "", "tabindex": "0",
      "role": "group", "aria-label": String(label), "aria-roledescription": "movable element",
      "aria-keyshortcuts": "ArrowUp ArrowDown ArrowLeft ArrowRight + - [ ] Enter Delete",
      "aria-describedby": "movable-help",
    ])
    if isSelected { element.attributes["data-selected"] = "" }
    element.on(.tap) { _ in onSelect() }
    element.on(.edit) { _ in onEdit() }
    element.on(.delete) { _ in onDelete() }
    element.on(.place) { event in
      if let placement = Placement(page: event.numbers) { onChange(placement, event.isFirst) }
    }
    return modified(Decoration(element))
  }
}

extension Event.Kind {
  /// The user moved, resized or turned it.
  static let place = Event.Kind(rawValue: "place")
  /// The user tapped it twice, or pressed the return key.
  static let edit = Event.Kind(rawValue: "edit")
  /// The user pressed the delete key.
  static let delete = Event.Kind(rawValue: "delete")
}

extension View {
  /// Turns the view around its middle; the room it takes stays the same.
  func rotationEffect(_ angle: Angle) -> some View {
    let style: Attributes = ["transform": "rotate(\(angle.degrees)deg)"]
    return modified(Decoration(Element(style: style, layout: .merge)))
  }
}

extension View {
  /// Shows a text in one line, which ends with an ellipsis where there is no room.
  func inOneLine() -> some View {
    let style: Attributes = [
      "max-width": "100%", "overflow": "hidden", "text-overflow": "ellipsis",
      "white-space": "nowrap",
    ]
    return modified(Decoration(Element(style: style, layout: .merge)))
  }
}
