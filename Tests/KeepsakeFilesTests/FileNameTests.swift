import KeepsakeFiles
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

  @Test("A string that is an ordinary file name is unchanged") func readableNames() {
    for string in ["com.example.HIITFit", "Zürich", "squat 🚲", "a b", "a..b", "~", "-rf"] {
      #expect(FileName(escaping: string).string == string)
    }
    #expect(FileName(escaping: "../x").string == "%2E.%2Fx")
    #expect(FileName(escaping: "").string == "%")
    #expect(FileName(escaping: "%").string == "%25")
  }
}
