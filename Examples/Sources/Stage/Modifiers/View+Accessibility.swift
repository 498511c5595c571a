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
    var attributes: [String: String] = [:]
    if traits.contains(.isHeader) { attributes["role"] = "heading" }
    if traits.contains(.isSearchField) { attributes["role"] = "searchbox" }
    attributes["aria-pressed"] =
      traits.contains(.isToggle) ? "\(traits.contains(.isSelected))" : nil
    return merged(attributes: attributes)
  }

  /// Has a screen reader say the view when it comes, and when it changes.
  public func accessibilityStatus() -> some View {
    merged(attributes: ["role": "status"])
  }

  /// Says to a screen reader that the views inside belong together under a name.
  public func accessibilityGroup(_ label: some StringProtocol) -> some View {
    merged(attributes: ["role": "group", "aria-label": String(label)])
  }
}
