import Foundation

/// The guides which a view has set for its container.
struct AlignmentGuides {
  typealias Guide = @MainActor (ViewDimensions) -> CGFloat

  /// By their alignments, which are of two types.
  private(set) var guides: [AnyHashable: Guide] = [:]

  mutating func merge(_ outer: AlignmentGuides) {
    guides.merge(outer.guides) { _, outer in outer }
  }
}

extension View {
  /// Sets a guide by which the container places the view, whose size must be a fixed one.
  func guided(_ alignment: some Hashable, _ guide: @escaping AlignmentGuides.Guide) -> some View {
    var element = Element(layout: .merge)
    element.guides = AlignmentGuides(guides: [AnyHashable(alignment): guide])
    return modified(Decoration(element))
  }
}
