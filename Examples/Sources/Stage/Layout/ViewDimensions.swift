public import Foundation

/// A view's size and its alignment guides, in the view's own coordinates.
@MainActor
public struct ViewDimensions {
  /// The width.
  public let width: CGFloat
  /// The height.
  public let height: CGFloat

  private let guides: AlignmentGuides

  init(_ size: CGSize, guides: AlignmentGuides) {
    width = size.width
    height = size.height
    self.guides = guides
  }

  /// Where a guide is, set by the view or by its size.
  public subscript(guide: HorizontalAlignment) -> CGFloat {
    if let explicit = self[explicit: guide] { return explicit }
    return switch guide {
    case .leading: 0
    case .center: width / 2
    case .trailing: width
    }
  }

  /// Where a guide is, set by the view or by its size.
  public subscript(guide: VerticalAlignment) -> CGFloat {
    if let explicit = self[explicit: guide] { return explicit }
    return switch guide {
    case .top: 0
    case .center: height / 2
    case .bottom: height
    }
  }

  /// Where the view has set a guide, or nil.
  public subscript(explicit guide: HorizontalAlignment) -> CGFloat? {
    guides.horizontal[guide].map { $0(inside) }
  }

  /// Where the view has set a guide, or nil.
  public subscript(explicit guide: VerticalAlignment) -> CGFloat? {
    guides.vertical[guide].map { $0(inside) }
  }

  /// The dimensions that a guide's closure sees, which are those without the guides set here.
  private var inside: ViewDimensions {
    ViewDimensions(CGSize(width: width, height: height), guides: AlignmentGuides())
  }
}
