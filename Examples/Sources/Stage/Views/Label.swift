/// A symbol and what it means.
public struct Label: View {
  private let title: String
  private let systemImage: String

  /// Shows a title behind a symbol.
  public init(_ title: some StringProtocol, systemImage: String) {
    self.title = String(title)
    self.systemImage = systemImage
  }

  /// The symbol and the title.
  public var body: some View {
    HStack(spacing: 6) {
      Image(systemName: systemImage)
      Text(title)
    }
  }
}
