import Foundation

/// The guides which a view has set for its container, by their alignments, which are of two types.
typealias AlignmentGuides = [AnyHashable: @MainActor (ViewDimensions) -> CGFloat]

extension View {
  /// Sets a guide by which the container places the view, whose size must be a fixed one.
  func guided(
    _ alignment: some Hashable, _ guide: @escaping AlignmentGuides.Value
  ) -> some View {
    var element = Element(layout: .merge)
    element.guides = [AnyHashable(alignment): guide]
    return modified(Decoration(element))
  }
}
