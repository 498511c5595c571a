import KeepsakeBase
import KeepsakeTestSupport

/// JSON5 made of what Foundation's decoder has of it.
struct RandomJSON5 {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func text() -> String { space() + value(depth: 0) + space() }

  private mutating func space() -> String {
    guard random.happens(oneIn: 3) else { return "" }
    return random.pick([
      " ", "\n", "\t", "\r\n", "  \n ", "/* a, 'b' */", "/***/", "// c: \"d\n", "//\r\n",
    ])
  }

  private mutating func value(depth: Int) -> String {
    switch random.below(depth > 4 ? 6 : 10) {
    case 0: return random.pick(["null", "true", "false"])
    case 1, 2, 3: return number()
    case 4, 5: return string()
    case 6, 7: return entries("[", "]") { $0.value(depth: depth + 1) }
    default:
      return entries("{", "}") {
        $0.key() + $0.space() + ":" + $0.space() + $0.value(depth: depth + 1)
      }
    }
  }

  private mutating func entries(
    _ open: String, _ close: String, _ entry: (inout Self) -> String
  ) -> String {
    var text = open + space()
    let count = random.below(5)
    for place in 0..<count {
      text += space() + entry(&self) + space()
      if place < count - 1 || random.happens(oneIn: 3) { text += "," }
    }
    return text + space() + close
  }

  private mutating func key() -> String {
    random.happens(oneIn: 3)
      ? string() : random.pick(["a", "b1", "$c", "_d", "é", "日本", "aBc_9$", "null", "Infinity"])
  }

  private mutating func number() -> String {
    func digits(_ random: inout SeededRandom) -> String {
      (0...random.below(5)).map { _ in "\(random.below(10))" }.joined()
    }
    let sign = random.pick(["", "-", "+"])
    switch random.below(5) {
    case 0:
      return sign + "0x" + String(random.below(1 << 40), radix: 16, uppercase: random.sample())
    case 1: return sign + "." + digits(&random)
    case 2: return sign + "\(1 + random.below(99))."
    case 3: return sign + "Infinity"
    default:
      let exponent = random.pick(["", "", "e5", "E-3", "e+2"])
      return sign + "\(random.below(10_000))." + digits(&random) + exponent
    }
  }

  private mutating func string() -> String {
    let quote = random.pick(["'", "\""])
    let pieces = [
      "a", "é", "😀", " ", "/", "//", "/*", ",", quote == "'" ? "\"" : "'", #"\'"#, #"\""#, #"\\"#,
      #"\/"#, #"\n"#, #"\x41"#, #"\xe9"#, #"\u00e9"#, #"\ud83d\ude00"#, "\u{7F}", "{", "]",
    ]
    return quote + (0..<random.below(8)).map { _ in random.pick(pieces) }.joined() + quote
  }
}
