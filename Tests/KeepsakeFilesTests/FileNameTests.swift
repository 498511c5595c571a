@testable import KeepsakeFiles
import SystemPackage
import Testing

@Suite("File names made from strings") struct FileNameTests {
  static let strings = [
    "", ".", "..", "../x", "../../etc/passwd", "a/b", "/", "/etc/passwd", "\0", "a\0b", "a\nb",
    "%", "%2F", "%2f", "%25", "..%2Fx", "\\", "..\\x", "C:", "~", "~root", "-rf", " ", "a b",
    ".hidden", "com.example.HIITFit", "Zürich", "squat 🚲", "e\u{301}", "é", "...", "a..b", "a.",
    "\u{202E}gpj", "\u{7F}", "CON", "*", "$(x)", "`x`", "'", "\"", "\u{2025}", "．．", "／",
  ]

  @Test("P10: Any string becomes the name of a file in its directory") func staysInDirectory() {
    let directory: FilePath = "/directory"
    for string in Self.strings {
      for path in [
        directory.appending(escaping: string),
        directory.appending(escaping: string, extension: "plist"),
      ] {
        #expect(path.removingLastComponent() == directory, "\(string.debugDescription)")
        #expect(path.components.count == 2, "\(string.debugDescription)")
        #expect(path.lexicallyNormalized() == path, "\(string.debugDescription)")
        #expect(path.lastComponent?.kind == .regular, "\(string.debugDescription)")
        #expect(!path.string.utf8.contains(0), "\(string.debugDescription)")
      }
    }
  }

  @Test("Different strings become different names") func distinctNames() {
    let names = Self.strings.map { FileName(escaping: $0).string.unicodeScalars.map(\.value) }
    #expect(Set(names).count == Self.strings.count)
  }

  @Test("Strings that differ only in Unicode form have names that are not the same text")
  func unicodeForms() {
    // Composed and decomposed letters, marks in either order, characters with the same meaning, Hangul
    // syllables and their parts, vowels of two parts.
    let forms = [
      ["é", "e\u{301}"], ["ệ", "ẹ\u{302}", "ê\u{323}", "e\u{323}\u{302}", "e\u{302}\u{323}"],
      ["K", "\u{212A}"], ["Å", "\u{212B}", "A\u{30A}"], ["Ω", "\u{2126}"],
      ["각", "\u{1100}\u{1161}\u{11A8}"],
      ["\u{9CB}", "\u{9C7}\u{9BE}"], ["が", "か\u{3099}"], ["\u{F900}", "\u{8C48}"],
      ["a\u{5B0}\u{5B4}", "a\u{5B4}\u{5B0}"], ["\u{958}", "\u{915}\u{93C}"],
    ]
    for strings in forms {
      let names = strings.map { FileName(escaping: $0).string }
      // Swift's `==` compares normalized text.
      #expect(Set(strings).count == 1 && Set(names).count == strings.count, "\(strings)")
      for (string, name) in zip(strings, names) {
        #expect(FileName.unescaping(name)?.utf8.elementsEqual(string.utf8) == true)
      }
    }
    for string in ["é", "Zürich", "क्ष", "ภาษาไทย", "שָׁלוֹם", "हिन्दी", "日本語が", "한국어", "Ελλάδα", "العربية"]
    {
      #expect(FileName(escaping: string).string == string)
    }
  }

  @Test("A string that is an ordinary file name is unchanged") func readableNames() {
    for string in ["com.example.HIITFit", "Zürich", "squat 🚲", "a b", "a..b", "~", "-rf"] {
      #expect(FileName(escaping: string).string == string)
    }
    #expect(FileName(escaping: "../x").string == "%2E.%2Fx")
    #expect(FileName(escaping: "").string == "%")
    #expect(FileName(escaping: "%").string == "%25")
  }
}
