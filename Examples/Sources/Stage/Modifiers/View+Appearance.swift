public import Foundation

extension View {
  /// Leaves room along some edges, by default 16 along each.
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    let length = length ?? 16
    return padding(
      EdgeInsets(
        top: edges.contains(.top) ? length : 0, leading: edges.contains(.leading) ? length : 0,
        bottom: edges.contains(.bottom) ? length : 0,
        trailing: edges.contains(.trailing) ? length : 0))
  }

  /// Leaves the same room along each edge.
  public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

  /// Leaves room along each edge.
  public func padding(_ insets: EdgeInsets) -> some View {
    let lengths = [insets.top, insets.trailing, insets.bottom, insets.leading]
    let isEven = lengths.allSatisfy { $0 == insets.top }
    return wrapped(
      class: "box",
      style: ["padding": isEven ? px(insets.top) : lengths.map(px).joined(separator: " ")],
      layout: .padding(insets))
  }

  /// Gives the view a fixed size in one direction or both.
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View {
    var style: Attributes = [:]
    if let width { style["width"] = px(width) }
    if let height { style["height"] = px(height) }
    return wrapped(
      class: "box fixed", style: style, layout: .frame(width: width, height: height))
  }

  /// Lets the view grow up to a width; infinity is all that there is.
  public func frame(maxWidth: CGFloat) -> some View {
    wrapped(
      class: "box wide", style: maxWidth == .infinity ? [:] : ["max-width": px(maxWidth)])
  }

  /// Gives the view the whole window, from its upper edge on.
  public func fillsWindow() -> some View { wrapped(class: "window") }

  /// Puts a color behind the view.
  public func background(_ color: Color) -> some View {
    wrapped(class: "box", style: ["background": color.css], layout: .padding(EdgeInsets()))
  }

  /// Rounds the corners.
  public func cornerRadius(_ radius: CGFloat) -> some View {
    wrapped(
      class: "box", style: ["border-radius": px(radius), "overflow": "hidden"],
      layout: .padding(EdgeInsets()))
  }

  /// Makes the view partly see-through.
  public func opacity(_ opacity: Double) -> some View { merged(style: ["opacity": "\(opacity)"]) }

  /// Colors the text, symbols and shapes inside.
  public func foregroundColor(_ color: Color?) -> some View {
    merged(style: color.map { ["color": $0.css] } ?? [:])
  }

  /// Sets the font of the text and the size of the symbols inside.
  public func font(_ font: Font?) -> some View {
    merged(
      style: font.map { ["font-size": $0.size, "font-weight": "\($0.weight.rawValue)"] } ?? [:])
  }

  /// Lets a text be smaller in a narrow window, down to a part of the size of what is around it.
  public func minimumScaleFactor(_ factor: CGFloat) -> some View {
    merged(style: ["font-size": "clamp(\(factor)em, 4.4vw, 1em)"])
  }

  /// Sets the kind of the letters inside.
  public func fontDesign(_ design: Font.Design) -> some View {
    merged(style: ["font-family": "var(--font-\(design.rawValue))"])
  }

  /// Places the lines of a text.
  public func multilineTextAlignment(_ alignment: HorizontalAlignment) -> some View {
    merged(style: ["text-align": alignment.css])
  }

  /// Sets the size that a preview is shown in; windows do not mind.
  public func previewLayout(_ layout: PreviewLayout) -> some View { self }
}
