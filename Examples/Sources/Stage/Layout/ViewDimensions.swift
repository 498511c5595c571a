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
    self[explicit: guide] ?? width * CGFloat(guide.rawValue) / 2
  }

  /// Where a guide is, set by the view or by its size.
  public subscript(guide: VerticalAlignment) -> CGFloat {
    self[explicit: guide] ?? height * CGFloat(guide.rawValue) / 2
  }

  /// Where the view has set a guide, or nil; its closure sees the dimensions without those set here.
  public subscript(explicit guide: some Hashable) -> CGFloat? {
    guides[AnyHashable(guide)].map {
      $0(ViewDimensions(CGSize(width: width, height: height), guides: [:]))
    }
  }
}
