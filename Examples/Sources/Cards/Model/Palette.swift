import Stage

/// The colors that cards and texts are offered.
enum Palette {
  struct Entry: Identifiable {
    let name: String
    let color: Color

    var id: String { name }
  }

  static let entries = [
    Entry(name: "Sunflower", color: Color(red: 1, green: 0.8, blue: 0.28)),
    Entry(name: "Coral", color: Color(red: 0.97, green: 0.47, blue: 0.4)),
    Entry(name: "Rose", color: Color(red: 0.94, green: 0.56, blue: 0.7)),
    Entry(name: "Lavender", color: Color(red: 0.7, green: 0.62, blue: 0.93)),
    Entry(name: "Sky", color: Color(red: 0.47, green: 0.73, blue: 0.97)),
    Entry(name: "Mint", color: Color(red: 0.5, green: 0.84, blue: 0.71)),
    Entry(name: "Sand", color: Color(red: 0.94, green: 0.88, blue: 0.78)),
    Entry(name: "Slate", color: Color(red: 0.25, green: 0.3, blue: 0.4)),
    Entry(name: "White", color: Color(red: 1, green: 1, blue: 1)),
    Entry(name: "Ink", color: Color(red: 0.1, green: 0.1, blue: 0.15)),
  ]

  static let yellow = entries[0].color
  static let ink = entries[9].color

  /// A color for a new card: one of those that text of any color can be read on.
  static func random() -> Color {
    entries.prefix(6).randomElement()?.color ?? yellow
  }
}
