import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Damaged journals") struct DamagedJournalTests {
  @Test("P3: A journal that is cut at any byte keeps every record before the cut")
  func truncation() throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      for length in small.journal.indices {
        let damaged = Array(small.journal[..<length])
        let opening = try SmallStore.open(
          propertyList: small.propertyList, journal: damaged, in: directory)
        let whole = small.recordEnds.dropFirst().filter { $0 <= length }.count
        #expect(
          opening.values == SmallStore.values(after: SmallStore.changes.prefix(whole)),
          "cut at \(length)")
        // A killed writer leaves the same, so it is not damage.
        #expect(opening.isStable && opening.problems.isEmpty, "cut at \(length)")
      }
      print("damaged files tried: \(small.journal.count) (journal, cut)")
    }
  }

  @Test(
    "P3: Damage at any byte loses the record that contains it, and no other",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: [0xFF, 0x20] as [UInt8])
  func flippedByte(flip: UInt8) throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      for index in small.journal.indices {
        var damaged = small.journal
        damaged[index] ^= flip
        let opening = try SmallStore.open(
          propertyList: small.propertyList, journal: damaged, in: directory)
        let record = small.recordEnds.firstIndex { index < $0 }!
        #expect(
          opening.values == SmallStore.values(without: record - 1),
          "flipped \(flip) at \(index), in record \(record)")
        #expect(
          opening.isQuarantined(damaged, as: "\(SmallStore.journalName).damaged-1"),
          "flipped \(flip) at \(index)")
      }
      print("damaged files tried: \(small.journal.count) (journal, flipped \(flip))")
    }
  }

  @Test(
    "P3: Inserted bytes lose the record that they split, and no other",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func insertedBytes() throws {
    let small = try SmallStore()
    let marker = Array(small.journal[..<4])
    let garbage: [[UInt8]] = [
      [0], [UInt8](repeating: 0, count: 4096), [0xFF, 0xFE, 0xFD], marker, marker + marker,
      marker + [0xFF, 0xFF, 0xFF, 0xFF], marker + [0xFF, 0xFF, 0xFF, 0x7F, 1, 2, 3, 4, 5, 6, 7, 8],
      marker + [0, 0, 0, 0] + [UInt8](repeating: 9, count: 12),
      (0..<700).map { UInt8(truncatingIfNeeded: $0 &* 89) },
    ]
    try withTemporaryDirectory(isInMemory: true) { directory in
      var count = 0
      for offset in 0..<small.recordEnds.last! {
        // All kinds at each boundary between records, one kind at each other byte.
        let isBoundary = offset == 0 || small.recordEnds.contains(offset)
        for bytes in isBoundary ? garbage : [garbage[offset % garbage.count]] {
          let damaged = small.journal[..<offset] + bytes + small.journal[offset...]
          let opening = try SmallStore.open(
            propertyList: small.propertyList, journal: Array(damaged), in: directory)
          // At a boundary, they separate the next record from the offset that its writer knew.
          let record = small.recordEnds.firstIndex { offset < $0 }
          let values = opening.values
          #expect(
            values == SmallStore.values(without: record.map { $0 - 1 })
              // A byte equal to the next one splits nothing.
              || values == SmallStore.values(without: nil),
            "\(bytes.count) bytes at \(offset), in record \(record ?? -1)")
          #expect(opening.isStable, "\(bytes.count) bytes at \(offset)")
          #expect(
            opening.problems.map(\.code) == (opening.quarantined.isEmpty ? [] : [.damaged]),
            "\(bytes.count) bytes at \(offset)")
          count += 1
        }
      }
      print("damaged files tried: \(count) (journal, with garbage)")
    }
  }

  @Test("P5: A journal that a killed writer left incomplete is repaired before an append")
  func killedWriter() throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      let files = LocalFileSystem()
      let path = directory.appending("small.plist")
      let journal = directory.appending(SmallStore.journalName)
      for length in small.recordEnds[4] + 1..<small.recordEnds[5] {
        try files.replaceFile(at: path, with: small.propertyList)
        try files.replaceFile(at: journal, with: Array(small.journal[..<length]))
        let left: [UInt8]
        do {
          let store = try SettingsStore(file: path, fileSystem: files, isAutomatic: false)
          try store.set("added", for: SettingsKey("iota", default: ""))
          left = try files.readFile(at: journal)!
        }
        // The journal when the next writer was killed, too.
        let opening = try SmallStore.open(
          propertyList: small.propertyList, journal: left, in: directory)
        var values = SmallStore.values(after: SmallStore.changes.prefix(4))
        values["iota"] = "added"
        #expect(opening.values == values, "cut at \(length)")
        #expect(opening.isStable && opening.problems.isEmpty, "cut at \(length)")
      }
    }
  }

  @Test("P3: Another file in place of the journal loses nothing of the property list")
  func foreignFile() throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      for (name, bytes) in DamagedPropertyListTests.foreign where !bytes.isEmpty {
        let opening = try SmallStore.open(
          propertyList: small.propertyList, journal: bytes, in: directory)
        #expect(opening.values == SmallStore.saved, "\(name)")
        #expect(opening.isStable, "\(name)")
        #expect(opening.quarantined.values.allSatisfy { $0 == bytes }, "\(name)")
      }
      print(
        "damaged files tried: \(DamagedPropertyListTests.foreign.count - 1) (journal, another file)"
      )
    }
  }
}
