import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Damaged property lists") struct DamagedPropertyListTests {
  @Test(
    "P3: A property list cut at any byte is quarantined, and entries before the cut are kept",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func truncation() throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      for length in small.propertyList.indices {
        let damaged = Array(small.propertyList[..<length])
        let opening = try SmallStore.open(propertyList: damaged, journal: nil, in: directory)
        if (try? PropertyList.dictionary(parsingXML: damaged)) != nil {
          // Only the comment after the values is cut.
          #expect(opening.isStable && opening.problems.isEmpty)
        } else {
          #expect(
            opening.isQuarantined(damaged, as: "small.plist.unreadable-1"), "cut at \(length)")
        }
        let text = String(decoding: damaged, as: UTF8.self)
        for (key, value) in SmallStore.saved where text.containsEntry(key) {
          #expect(opening.values[key] == value, "cut at \(length)")
        }
        for (key, value) in opening.values {
          #expect(SmallStore.saved[key] == value, "cut at \(length)")
        }
      }
      print("damaged files tried: \(small.propertyList.count) (property list, cut)")
    }
  }

  @Test(
    "P3: Damage at any byte loses at most two entries, and an unreadable file is quarantined",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: [0xFF, 0x20] as [UInt8])
  func flippedByte(flip: UInt8) throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      for index in small.propertyList.indices {
        var damaged = small.propertyList
        damaged[index] ^= flip
        let opening = try SmallStore.open(propertyList: damaged, journal: nil, in: directory)
        let kept = SmallStore.saved.filter { opening.values[$0.key] == $0.value }
        #expect(kept.count >= SmallStore.saved.count - 2, "flipped \(flip) at \(index)")
        if (try? PropertyList.dictionary(parsingXML: damaged)) != nil {
          // A changed letter cannot be recognized as damage.
          #expect(opening.isStable && opening.problems.isEmpty, "flipped \(flip) at \(index)")
        } else {
          #expect(
            opening.isQuarantined(damaged, as: "small.plist.unreadable-1"),
            "flipped \(flip) at \(index)")
        }
      }
      print("damaged files tried: \(small.propertyList.count) (property list, flipped \(flip))")
    }
  }

  @Test("P3: Damage loses nothing that the journal contains")
  func knownToJournal() throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      var count = 0
      for length in stride(from: 0, to: small.propertyList.count, by: 7) {
        let damaged = Array(small.propertyList[..<length])
        let opening = try SmallStore.open(
          propertyList: damaged, journal: small.journal, in: directory)
        // Not if only the comment after the values is cut.
        if (try? PropertyList.dictionary(parsingXML: damaged)) == nil {
          #expect(
            opening.isQuarantined(damaged, as: "small.plist.unreadable-1"), "cut at \(length)")
        }
        for (key, value) in SmallStore.changes where key != "zeta" || value == "again" {
          #expect(opening.values[key] == value, "cut at \(length)")
        }
        count += 1
      }
      print("damaged files tried: \(count) (property list, cut, with a journal)")
    }
  }

  static let foreign: [(name: String, bytes: [UInt8])] = [
    ("empty", []),
    ("zeros", [UInt8](repeating: 0, count: 4096)),
    ("junk", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }),
    ("JSON", Array(#"{"alpha": "first"}"#.utf8)),
    ("a binary property list", Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0x51, 0x62]),
    ("an array", Array("<plist version=\"1.0\"><array><string>a</string></array></plist>".utf8)),
    ("a string", Array("<plist version=\"1.0\"><string>a</string></plist>".utf8)),
    ("text", Array("alpha = first\n".utf8)),
    ("HTML", Array("<!DOCTYPE html><html><body>404</body></html>".utf8)),
    (
      "UTF-16", Array("<plist/>".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    ),
    ("deep", Array((String(repeating: "<array>", count: 100_000)).utf8)),
    (
      "a deep value",
      Array(
        ("<plist><dict><key>a</key>" + String(repeating: "<array>", count: 100_000)
          + String(repeating: "</array>", count: 100_000) + "</dict></plist>").utf8)
    ),
  ]

  @Test("P3: Another file in place of the property list is quarantined, never overwritten")
  func foreignFile() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      for (name, bytes) in Self.foreign {
        let opening = try SmallStore.open(propertyList: bytes, journal: nil, in: directory)
        #expect(opening.values == [:], "\(name)")
        #expect(opening.isQuarantined(bytes, as: "small.plist.unreadable-1"), "\(name)")
      }
      print("damaged files tried: \(Self.foreign.count) (property list, another file)")
    }
  }

  @Test("P3: Repeated damage does not overwrite what was quarantined before")
  func repeatedDamage() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let files = LocalFileSystem()
      let path = directory.appending("small.plist")
      for round in 1...3 {
        try files.replaceFile(at: path, with: Array("damage \(round)".utf8))
        // Opening waits: a process that another test is starting has the previous lock for a
        // moment.
        _ = try SettingsStore(file: path, fileSystem: files) { _ in }
      }
      for round in 1...3 {
        let quarantineFile = directory.appending("small.plist.unreadable-\(round)")
        #expect(try files.readFile(at: quarantineFile) == Array("damage \(round)".utf8))
      }
    }
  }
}

extension SmallStore.Opening {
  /// Whether a damaged file was reported once, with its name and reason, quarantined unchanged, and
  /// not reported when the store is opened again.
  func isQuarantined(_ damaged: [UInt8], as name: String) -> Bool {
    isStable && quarantined == [name: damaged] && problems.count == 1
      && problems[0].code == .damaged && problems[0].file != nil
      && problems[0].description.contains(name)
  }
}

extension String {
  /// Whether the text of a property list contains a whole entry.
  fileprivate func containsEntry(_ key: String) -> Bool {
    guard let name = firstRange(of: "<key>\(key)</key>") else { return false }
    let rest = self[name.upperBound...]
    guard let end = rest.firstRange(of: "</string>\n") ?? rest.firstRange(of: "<string/>\n") else {
      return false
    }
    return !self[name.upperBound..<end.lowerBound].contains("<key>")
  }
}
