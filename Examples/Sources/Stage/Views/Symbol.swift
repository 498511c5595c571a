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
    "arrow.up": "M12 20v-15M6 11l6-6 6 6",
    "folder": "M3 5h6l2 3h10v11h-18z",
    "arrow.right": "M4 12h15M13 6l6 6-6 6",
    "arrow.right.circle": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M7 12h9M12 8l4 4-4 4",
    "checkmark": "M4 13l5 5 11-12",
    "plus": "M12 4v16M4 12h16",
    "plus.square.on.square": "M8 8h13v13h-13zM16 8v-5h-13v13h5M14.500 11v7M11 14.500h7",
    "square.and.arrow.down": "M8 9h-3v12h14v-12h-3M12 2v13M7.500 10.500l4.500 4.500 4.500-4.500",
    "minus": "M4 12h16",
    "xmark": "M5 5l14 14M19 5l-14 14",
    "trash": "M4 6h16M9 6v-3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7",
    "photo": "M3 4h18v16h-18zM3 17l6-6 5 5 3-3 4 4M16 7.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3",
    "textformat": "M2 19l6-14 6 14M4.5 14h7M22 11v8M18.5 11.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7",
    "paintpalette":
      "M12 3a9 9 0 1 0 0 18c2 0 2-1.5 1.5-2.5-1-2 0-3.5 2-3.5h2.5c2 0 3-1 3-3a9 9 0 0 0-9-9M7.5 "
      + "11v.1M11 7.5v.1M15.5 8.5v.1",
    "square.on.circle": "M9 3a6 6 0 1 0 0 12 6 6 0 0 0 0-12M10 10h11v11h-11z",
    "square.2.layers.3d.top": "M12 3l9 5-9 5-9-5zM3 13l9 5 9-5",
    "square.2.layers.3d.bottom": "M3 10l9-5 9 5M12 10l9 5-9 5-9-5z",
    "pencil": "M4 20l1-5 11-11 4 4-11 11zM14 6l4 4",
    "arrow.uturn.backward": "M9 5l-5 5 5 5M4 10h10a5 5 0 0 1 0 10h-4",
    "arrow.uturn.forward": "M15 5l5 5-5 5M20 10h-10a5 5 0 0 0 0 10h4",
    "clock.arrow.circlepath": "M3.5 9a9 9 0 1 1-.5 5M3 4v5h5M12 8v5l3 2",
    "exclamationmark.triangle": "M12 3l10 18h-20zM12 9v6M12 17.5v.5",
  ]
}
