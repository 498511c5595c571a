public import Foundation

extension View {
  /// Does something when the view is tapped, or chosen with the keyboard.
  public func onTapGesture(
    count: Int = 1, perform action: @escaping @MainActor () -> Void
  ) -> some View {
    merged(attributes: ["data-tap": "\(count)", "role": "button", "tabindex": "0"], tap: action)
  }

  /// Sets a guide by which the container places the view, whose size must be a fixed one.
  public func alignmentGuide(
    _ guide: HorizontalAlignment,
    computeValue: @escaping @MainActor (ViewDimensions) -> CGFloat
  ) -> some View {
    guided(guide, computeValue)
  }

  /// Sets a guide by which the container places the view, whose size must be a fixed one.
  public func alignmentGuide(
    _ guide: VerticalAlignment,
    computeValue: @escaping @MainActor (ViewDimensions) -> CGFloat
  ) -> some View {
    guided(guide, computeValue)
  }
}
