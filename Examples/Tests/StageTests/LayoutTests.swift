import Testing

@testable import Stage

@Suite("Alignment guides place views exactly")
@MainActor
struct LayoutTests {
  private struct Box: View {
    let width: CGFloat
    let height: CGFloat

    var body: some View { Color.red.frame(width: width, height: height) }
  }

  /// The places of the views that guides have placed, and the size of what holds them.
  private func places(
    _ view: some View
  ) throws -> (places: [CGPoint], size: CGSize?) {
    let window = try Stagehand().open(view)
    func length(_ text: String?) -> CGFloat { text.flatMap { Double($0.dropLast(2)) } ?? .nan }
    let placed = window.all { $0.style["position"] == "absolute" }
    let points = placed.map {
      CGPoint(x: length($0.style["left"]), y: length($0.style["top"]))
    }
    return (points, window.all { $0.style["position"] == "relative" }.first?.size)
  }

  @Test("A column lays its children along a guide, and grows to hold them")
  func column() throws {
    let column = try places(
      VStack(alignment: .leading, spacing: 10) {
        Box(width: 100, height: 20)
        Box(width: 60, height: 20).alignmentGuide(.leading) { d in d[HorizontalAlignment.center] }
      })
    #expect(column.places == [CGPoint(x: 30, y: 0), CGPoint(x: 0, y: 30)])
    #expect(column.size == CGSize(width: 130, height: 50))
  }

  @Test("A row lays its children along a guide up and down")
  func row() throws {
    let row = try places(
      HStack(spacing: 0) {
        Box(width: 10, height: 40)
        Box(width: 10, height: 20).alignmentGuide(VerticalAlignment.center) { d in d[.bottom] }
        Box(width: 10, height: 20).alignmentGuide(VerticalAlignment.center) { _ in 0 }
      })
    #expect(row.places == [CGPoint(x: 0, y: 0), CGPoint(x: 10, y: 0), CGPoint(x: 20, y: 20)])
    #expect(row.size == CGSize(width: 30, height: 40))
  }

  @Test("A guide of the other direction does not move a column's child along it")
  func across() throws {
    let column = try places(
      VStack(spacing: 0) {
        Box(width: 10, height: 10)
        Box(width: 10, height: 10).alignmentGuide(VerticalAlignment.center) { _ in 100 }
      })
    #expect(column.places == [CGPoint(x: 0, y: 0), CGPoint(x: 0, y: 10)])
  }

  @Test("Padding and frames count, and an outer guide replaces an inner one")
  func padding() throws {
    let stack = try places(
      ZStack(alignment: Alignment(horizontal: .leading, vertical: .top)) {
        Box(width: 10, height: 10).padding(5)
        Box(width: 10, height: 10).frame(width: 30)
          .alignmentGuide(.leading) { _ in 1 }
          .alignmentGuide(.leading) { d in -d.width }
      })
    #expect(stack.places == [CGPoint(x: 0, y: 0), CGPoint(x: 30, y: 0)])
    #expect(stack.size == CGSize(width: 60, height: 20))
  }

  @Test("Where a child's size is not known the stack's own alignment counts")
  func unknown() throws {
    let stack = try places(
      ZStack {
        Text("As wide as its letters")
        Box(width: 10, height: 10).alignmentGuide(HorizontalAlignment.center) { _ in 100 }
      })
    #expect(stack.places.isEmpty)
  }
}
