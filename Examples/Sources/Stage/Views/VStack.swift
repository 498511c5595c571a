public import Foundation

/// Views one below the other.
public struct VStack<Content: View>: View {
  let layout: StackLayout
  let content: Content

  /// Stacks the views of a closure.
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {
    layout = StackLayout(
      axis: .vertical, alignment: Alignment(horizontal: alignment, vertical: .center),
      spacing: spacing ?? 8)
    self.content = content()
  }
}

extension VStack: Stack {}
