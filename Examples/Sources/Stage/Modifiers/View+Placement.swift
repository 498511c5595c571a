extension View {
  /// Puts the view on the `Board` around it.
  public func placed(_ placement: Placement) -> some View {
    modified(Decoration(element: Element(place: placement)))
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
  public func movable(
    _ placement: Placement, label: some StringProtocol, isSelected: Bool,
    onSelect: @escaping @MainActor () -> Void, onEdit: @escaping @MainActor () -> Void,
    onDelete: @escaping @MainActor () -> Void,
    onChange: @escaping @MainActor (Placement, Bool) -> Void
  ) -> some View {
    var element = Element(place: placement)
    element.attributes.merge([
      "class": "placed movable", "data-movable": "", "tabindex": "0", "role": "group",
      "aria-label": String(label), "aria-roledescription": "movable element",
      "aria-keyshortcuts": "ArrowUp ArrowDown ArrowLeft ArrowRight + - [ ] Enter Delete",
      "aria-describedby": "movable-help",
    ]) { _, new in new }
    if isSelected { element.attributes["data-selected"] = "" }
    element.action = onSelect
    element.handlers.edit = onEdit
    element.handlers.delete = onDelete
    element.handlers.place = onChange
    return modified(Decoration(element: element))
  }
}

extension Element {
  fileprivate init(place: Placement) {
    self.init(attributes: ["class": "placed", "data-place": place.page])
  }
}
