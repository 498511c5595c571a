import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P10: Ten thousand ids that are no names of files, too long, or differ in case only")
struct ManyNamesTests {
  private static let parts = [
    "/", "..", ".", "\\", ":", "\0", "\n", "%", "%2F", "a", "A", "\u{E9}", "e\u{301}", "\u{212A}",
    "K",
    "\u{202E}", "\u{1F6B2}", " ", "-", "\u{FF0F}", "Trash", "Versions", "Quarantine", ".rwcard",
    "~", "*",
  ]

  /// The same ids each time, all different.
  private static func ids(_ count: Int) -> [String] {
    var random = SeededRandom(seed: 16)
    var ids: Set<[UInt8]> = [[]]
    while ids.count < count {
      var id = ""
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        id += parts.randomElement(using: &random)!
      }
      if ids.count % 50 == 0 {
        id += String(repeating: "x", count: Int.random(in: 200...400, using: &random))
      }
      ids.insert(Array(id.utf8))
    }
    return ids.sorted { $0.lexicographicallyPrecedes($1) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("Each is a document of its own in the directory, or one error") func names() throws {
    try withTemporaryDirectory(isInMemory: true) { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      var kept: [[UInt8]] = []
      var errors = 0
      for (number, id) in Self.ids(TestLength.isAtLeast(.standard) ? 10_000 : 1000).enumerated() {
        var card = WrittenCard(id: id)
        card.number = number
        do throws(DocumentError) {
          try store.create(card)
          kept.append(Array(id.utf8))
        } catch {
          errors += 1
          #expect(
            error.code == .unencodable && FileName(escaping: id).string.utf8.count > 248, "\(error)"
          )
        }
      }
      #expect(errors > 0)
      #expect(Set(try directory.open().ids().map { Array($0.utf8) }) == Set(kept))
      for id in kept {
        let card = try store.load(String(decoding: id, as: UTF8.self))
        #expect(Array(card.id.utf8) == id)
      }
      // Nothing is anywhere else.
      let files = LocalFileSystem()
      #expect(try files.contents(ofDirectory: root) == ["Documents"])
      #expect(try directory.visibleFiles().count == kept.count)
      for id in kept.prefix(200) + kept.suffix(200) {
        try store.restore(try store.remove(String(decoding: id, as: UTF8.self)))
      }
      #expect(try store.ids().count == kept.count)
    }
  }
}
