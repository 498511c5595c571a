import Testing

@testable import KeepsakeDirectories

@Suite("A line that is edited in a terminal") struct LineEditorTests {
  private func edit(_ bytes: String) -> LineEditor {
    var editor = LineEditor()
    var rest = Array(bytes.utf8)[...]
    while !rest.isEmpty {
      editor.edit(TerminalKey.read({ rest.popFirst() }, nextAtOnce: { rest.popFirst() }))
    }
    return editor
  }

  @Test(
    "Keys edit the text",
    arguments: [
      ("ab\u{7F}c", "ac|"), ("ab\u{02}\u{02}x", "x|ab"), ("ab\u{1B}[D\u{08}", "|b"),
      ("ab\u{1B}[D\u{1B}[D\u{1B}[D\u{1B}[C", "a|b"), ("ab\u{01}\u{1B}[3~", "|b"),
      ("ab\u{1B}OH\u{1B}OFc", "abc|"), ("ab\u{1B}[1~x\u{1B}[4~y", "xaby|"),
      ("a/b c/\u{17}", "a/b |"), ("a/b c/\u{17}\u{17}", "a/|"), ("ab\u{02}\u{0B}", "a|"),
      ("ab\u{02}\u{15}", "|b"), ("e\u{301}x\u{7F}\u{7F}y", "y|"), ("日本\u{7F}", "日|"),
      ("a\u{1B}[1;5Cb\u{1B}[20~c", "abc|"), ("\u{7F}\u{1B}[3~\u{02}\u{06}", "|"),
      ("a\u{00}b", "ab|"),
    ])
  func keys(bytes: String, result: String) {
    let editor = edit(bytes)
    #expect(editor.before + "|" + editor.after == result)
  }

  @Test("Bytes that are not UTF-8 type nothing") func invalid() {
    for bytes: [UInt8] in [
      [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ] {
      var rest = bytes[...]
      #expect(TerminalKey.read({ rest.popFirst() }, nextAtOnce: { rest.popFirst() }) == .other)
    }
  }

  @Test("The visible part fits and contains the cursor, for every width and position")
  func visible() {
    let text = "/home/日本語/e\u{301}/👩‍👩‍👧/\u{1B}[2J/end"
    for columns in 3...40 {
      for offset in 0...text.count {
        let editor = LineEditor(
          before: String(text.prefix(offset)), after: String(text.dropFirst(offset)))
        let part = editor.visiblePart(columns: columns)
        #expect(part.text.columns < columns)
        #expect((0..<columns).contains(part.cursor))
        #expect(editor.text.printable.contains(part.text))
        #expect(!part.text.contains("\u{1B}"))
      }
    }
    let all = LineEditor(before: "ab", after: "c").visiblePart(columns: 4)
    #expect(all == ("abc", 2))
  }
}
