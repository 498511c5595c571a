import KeepsakeMacros
import Stage

extension Color {
  /// Red, green, blue and opacity, as files keep a color.
  nonisolated func colorComponents() -> [Double] {
    components ?? [0, 0, 0, 1]
  }

  /// The color that a file keeps; nil for what is no color.
  nonisolated static func color(components: [Double]) -> Color? {
    guard 3...4 ~= components.count, components.allSatisfy({ 0...1 ~= $0 }) else { return nil }
    return Color(
      red: components[0], green: components[1], blue: components[2],
      opacity: components.count == 4 ? components[3] : 1)
  }
}

extension KeyedDecodingContainer {
  /// A color; nil where there is none, or something that only a newer version understands.
  func decodeColor(forKey key: Key) -> Color? {
    (try? decode([Double].self, forKey: key)).flatMap { Color.color(components: $0) }
  }
}

/// A color as files keep it.
struct ColorComponents: FieldCoding {
  func value(from stored: [Double]) -> Color? { Color.color(components: stored) }

  func stored(_ value: Color) -> [Double] { value.colorComponents() }
}
