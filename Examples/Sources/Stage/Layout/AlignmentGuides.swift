import Foundation

/// The guides which a view has set for its container.
struct AlignmentGuides {
  typealias Guide = @MainActor (ViewDimensions) -> CGFloat

  var horizontal: [HorizontalAlignment: Guide] = [:]
  var vertical: [VerticalAlignment: Guide] = [:]

  var isEmpty: Bool { horizontal.isEmpty && vertical.isEmpty }

  mutating func merge(_ outer: AlignmentGuides) {
    horizontal.merge(outer.horizontal) { _, outer in outer }
    vertical.merge(outer.vertical) { _, outer in outer }
  }
}
