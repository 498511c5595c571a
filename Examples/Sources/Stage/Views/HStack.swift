public import Foundation

/// Views beside each other.
public struct HStack<Content: View>: View {
  let layout: StackLayout
  let content: Content

  /// Stacks the views of a closure.
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    layout = StackLayout(
      axis: .horizontal, alignment: Alignment(horizontal: .center, vertical: alignment),
      spacing: spacing ?? 8)
    self.content = content()
  }
}

extension HStack: Stack {}
