public import Keepsake

/// A field for any color, which the browser lets the user choose.
public struct ColorPicker: View {
  private let title: String
  private let selection: Binding<Color>

  /// Makes a field for a color.
  public init(_ title: some StringProtocol, selection: Binding<Color>) {
    self.title = String(title)
    self.selection = selection
  }
}

extension ColorPicker: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    var field = Element(id: id + "i", tag: "input")
    field.attributes = [
      "type": "color", "data-input": "", "value": selection.wrappedValue.hex ?? "#000000",
    ]
    field.on(.input) { [selection] in
      if let color = $0.value.flatMap(Color.init(hex:)) { selection.wrappedValue = color }
    }
    let label = Element(id: id, tag: "label", attributes: ["class": "color"])
    let name = Element(id: id + "t", tag: "span", text: title)
    return [.element(label, [.element(field, []), .element(name, [])])]
  }
}

extension Color {
  /// The color as the page's fields write it, `#rrggbb`.
  public nonisolated var hex: String? {
    components.map { components in
      "#"
        + components.prefix(3).map { component in
          let byte = Int((min(max(component, 0), 1) * 255).rounded())
          return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
  }

  /// The color that a field of the page has, `#rrggbb`.
  public nonisolated init?(hex: String) {
    guard hex.count == 7, hex.hasPrefix("#"), let number = Int(hex.dropFirst(), radix: 16),
      number >= 0
    else { return nil }
    func part(_ shift: Int) -> Double { Double(number >> shift & 255) / 255 }
    self.init(red: part(16), green: part(8), blue: part(0))
  }
}
