/// A color; as a view it fills the room it is given.
public struct Color: View, Equatable, Sendable {
  package let css: String
  /// Red, green, blue and opacity of a mixed color; nil for one that only the page knows.
  public nonisolated let components: [Double]?

  /// Mixes a color of red, green and blue, each from 0 to 1.
  public nonisolated init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    css = "rgb(\(red * 255) \(green * 255) \(blue * 255) / \(opacity))"
    components = [red, green, blue, opacity]
  }

  /// A color that only the page knows; a variable is another one on light and on dark.
  private init(css: String) {
    self.css = css
    components = nil
  }

  /// The color of text.
  public static let primary = Color(css: "var(--primary)")
  /// The color of text that matters less.
  public static let secondary = Color(css: "var(--secondary)")
  /// The color of what can be pressed.
  public static let accentColor = Color(css: "var(--accent)")
  /// The color of a card or a field.
  public static let surface = Color(css: "var(--surface)")
  /// Red.
  public static let red = Color(css: "var(--red)")
  /// Orange.
  public static let orange = Color(css: "var(--orange)")
  /// Yellow.
  public static let yellow = Color(css: "var(--yellow)")
  /// Gray.
  public static let gray = Color(css: "var(--gray)")

  /// The same color, partly see-through.
  public func opacity(_ opacity: Double) -> Color {
    Color(css: "color-mix(in srgb, \(css) \(opacity * 100)%, transparent)")
  }
}

extension Color: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let element = Element(
      id: scope.id, attributes: ["class": "fill"], style: ["background": css])
    return [.element(element, [])]
  }
}
