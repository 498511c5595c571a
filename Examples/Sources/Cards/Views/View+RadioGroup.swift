import Stage

extension View {
  /// Says to a screen reader that one of the radio buttons inside is chosen; arrow keys go along them.
  ///
  /// - Parameters:
  ///   - label: What the group is called.
  ///   - isManual: Whether arrow keys choose none, as where a choice ends the sheet.
  func radioGroup(_ label: some StringProtocol, isManual: Bool = false) -> some View {
    var attributes: Attributes = ["role": "radiogroup", "aria-label": String(label)]
    if isManual { attributes["data-manual"] = "" }
    return modified(Decoration(Element(attributes: attributes, layout: .merge)))
  }

  /// Makes a button one of a radio group.
  ///
  /// - Parameters:
  ///   - isChosen: Whether it is the chosen one.
  ///   - isReached: Whether the tab key goes to it; of a group it goes to one.
  func radioButton(isChosen: Bool, isReached: Bool) -> some View {
    let attributes: Attributes = [
      "role": "radio", "aria-checked": "\(isChosen)", "tabindex": isReached ? "0" : "-1",
    ]
    return modified(Decoration(Element(attributes: attributes, layout: .merge)))
  }
}
