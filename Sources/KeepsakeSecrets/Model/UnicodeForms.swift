#if Secrets
/// The composed and the decomposed form of a text with letters and marks, or Hangul.
///
/// They are found by the equality of `String`: the standard library has no public API for them, and
/// Foundation's would load all of Foundation.
enum UnicodeForms {
  static func composed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for character in decomposed(text) {
      var letter = character.unicodeScalars.first!
      var marks: [Unicode.Scalar] = []
      for mark in character.unicodeScalars.dropFirst() {
        // A mark of the same class stands between them.
        let isBlocked = marks.last.map { combiningClass($0) >= combiningClass(mark) } ?? false
        if !isBlocked, let scalar = composed[String(letter) + String(mark)] {
          letter = scalar
        } else {
          marks.append(mark)
        }
      }
      scalars.append(letter)
      scalars.append(contentsOf: marks)
    }
    return String(scalars)
  }

  static func decomposed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var marks: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars.flatMap(decomposed) {
      if combiningClass(scalar) == 0 {
        scalars.append(contentsOf: marks)
        marks = []
        scalars.append(scalar)
      } else {
        // In the order of their classes; marks of one class keep theirs.
        let end = marks.firstIndex { combiningClass($0) > combiningClass(scalar) }
        marks.insert(scalar, at: end ?? marks.endIndex)
      }
    }
    scalars.append(contentsOf: marks)
    return String(scalars)
  }

  private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    guard let pair = pairs[scalar] else { return [scalar] }
    return decomposed(pair.0) + [pair.1]
  }

  private static func combiningClass(_ scalar: Unicode.Scalar) -> UInt8 {
    scalar.properties.canonicalCombiningClass.rawValue
  }

  private static func scalars(_ range: ClosedRange<UInt32>) -> [Unicode.Scalar] {
    range.compactMap(Unicode.Scalar.init)
  }

  /// Each scalar that may be composed, by its text, which is equal to the decomposed text.
  private static let composed: [String: Unicode.Scalar] = {
    let all = scalars(0xC0...0x1FFF) + scalars(0x3040...0x30FF) + scalars(0xAC00...0xD7A3)
    return Dictionary(all.map { (String($0), $0) }) { first, _ in first }
  }()

  /// The two scalars of which each is composed.
  private static let pairs: [Unicode.Scalar: (Unicode.Scalar, Unicode.Scalar)] = {
    let letters = scalars(0x3C...0x6FF) + scalars(0x1E00...0x1FFF)
    // Without those that are equal to other marks.
    let marks = [0x300...0x33F, 0x342...0x342, 0x345...0x345, 0x653...0x655].flatMap(scalars)
    var pairs: [Unicode.Scalar: (Unicode.Scalar, Unicode.Scalar)] = [:]
    for (bases, marks) in [
      (letters, marks), (scalars(0x3040...0x30FF), scalars(0x3099...0x309A)),
      (scalars(0x1100...0x1112), scalars(0x1161...0x1175)),
      (scalars(0xAC00...0xD7A3), scalars(0x11A8...0x11C2)),
    ] {
      for base in bases {
        for mark in marks {
          // The first of several equal letters is the one of the decomposed form.
          if let scalar = composed[String(base) + String(mark)], pairs[scalar] == nil {
            pairs[scalar] = (base, mark)
          }
        }
      }
    }
    return pairs
  }()
}
#endif
