extension View {
  /// Says to a screen reader what the view is.
  public func accessibilityLabel(_ label: some StringProtocol) -> some View {
    merged(attributes: ["aria-label": String(label)])
  }

  /// Says what the view does when the pointer rests on it.
  public func help(_ text: some StringProtocol) -> some View {
    merged(attributes: ["title": String(text)])
  }

  /// Says to a screen reader what kind of thing the view is.
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
    var attributes: Attributes = [:]
    if traits.contains(.isHeader) { attributes = ["role": "heading", "aria-level": "2"] }
    if traits.contains(.isSearchField) { attributes["role"] = "searchbox" }
    attributes["aria-pressed"] =
      traits.contains(.isToggle) ? "\(traits.contains(.isSelected))" : nil
    return merged(attributes: attributes)
  }

  /// Says to a screen reader that the view is a heading of a level; one without a level is of the second.
  public func accessibilityHeading(_ level: AccessibilityHeadingLevel) -> some View {
    merged(attributes: ["role": "heading", "aria-level": "\(level.rawValue)"])
  }

  /// Says to a screen reader that the view is a list, whose rows are `accessibilityListItem`.
  public func accessibilityList(_ label: some StringProtocol) -> some View {
    merged(attributes: ["role": "list", "aria-label": String(label)])
  }

  /// Says to a screen reader that the view is a row of a list.
  public func accessibilityListItem() -> some View { merged(attributes: ["role": "listitem"]) }

  /// Has a screen reader say the view when it comes, and when it changes.
  public func accessibilityStatus() -> some View { merged(attributes: ["role": "status"]) }

  /// Says to a screen reader that the views inside belong together under a name.
  public func accessibilityGroup(_ label: some StringProtocol) -> some View {
    merged(attributes: ["role": "group", "aria-label": String(label)])
  }
}
