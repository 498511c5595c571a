/// What samples are made of: the same for the same seed, on every machine (SplitMix64).
struct SampleRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  /// Whether something happens that happens so often in a hundred times.
  mutating func happens(percent: Int) -> Bool { number(0...99) < percent }

  mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  mutating func words(_ count: ClosedRange<Int>) -> String {
    (0..<number(count)).map { _ in element(Self.vocabulary) }.joined(separator: " ")
  }

  /// A text without spaces, in hiragana, katakana and kanji.
  mutating func japanese(_ count: ClosedRange<Int>) -> String {
    var text = ""
    for _ in 0..<number(count) {
      let ranges: [ClosedRange<Int>] = [0x3042...0x3093, 0x30A2...0x30F3, 0x4E00...0x5FFF]
      text.unicodeScalars.append(Unicode.Scalar(UInt32(number(element(ranges)))) ?? "の")
      if happens(percent: 4) { text += "。" }
    }
    return text
  }

  mutating func digits(_ count: Int) -> String {
    "\(number(1...9))" + (1..<count).map { _ in "\(number(0...9))" }.joined()
  }

  mutating func hexadecimal(_ count: Int) -> String {
    (0..<count).map { _ in String(number(0...15), radix: 16).uppercased() }.joined()
  }

  private static let vocabulary = [
    "ability", "and", "answer", "around", "bridge", "broken", "card", "city", "cloud", "creature",
    "day", "door", "each", "evening", "fire", "for", "forest", "from", "garden", "great", "house",
    "in", "island", "lantern", "letter", "life", "light", "little", "morning", "mountain", "music",
    "night", "of", "old", "on", "opens", "path", "player", "quiet", "rain", "river", "sea",
    "shadow", "silver", "song", "spell", "stone", "storm", "story", "summer", "the", "to", "town",
    "turn", "under", "voice", "walks", "water", "wind", "winter", "with", "world", "young",
  ]
}
