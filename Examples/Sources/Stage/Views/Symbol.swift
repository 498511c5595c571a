/// The drawing of a named symbol, in a square of 24 by 24.
struct Symbol {
  let path: String
  let isFilled: Bool

  init(named name: String) {
    isFilled = name.hasSuffix(".fill")
    let base = isFilled ? String(name.dropLast(5)) : name
    path = Self.paths[base] ?? "M4 4h16v16h-16z"
  }

  private static let paths = [
    "waveform.path.ecg": "M1 13h5l2-4 3 10 4-15 3 9h5",
    "house": "M3 11l9-8 9 8v10h-6v-6h-6v6h-6z",
    "star": "M12 3l2.7 5.8 6.3.8-4.6 4.3 1.2 6.3-5.6-3.1-5.6 3.1 1.2-6.3-4.6-4.3 6.3-.8z",
    "flame": "M12 2c1 5 6 7 6 13a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-3 1-6 1-10z",
    "figure.stairs": "M3 20h5v-5h5v-5h5v-5h3",
    "figure.strengthtraining.functional":
      "M12 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4M4 10h16M12 10v4M12 14l-6 1.5 2 6.500M12 14l6 1.5-2 6.500",
    "sun.max":
      "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6l1.4 "
      + "1.4M19 5l-1.4 1.4M6.4 17.6l-1.4 1.4",
    "arrow.right": "M4 12h15M13 6l6 6-6 6",
    "arrow.right.circle": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M7 12h9M12 8l4 4-4 4",
    "checkmark": "M4 13l5 5 11-12",
  ]
}
