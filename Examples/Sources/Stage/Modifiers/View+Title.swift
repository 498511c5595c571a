extension View {
  /// Names the window; without a name it is called after the app.
  public func navigationTitle(_ title: some StringProtocol) -> some View {
    merged(attributes: ["data-title": String(title)])
  }
}
