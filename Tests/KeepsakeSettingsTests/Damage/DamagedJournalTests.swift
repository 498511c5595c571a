import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A journal that was damaged") struct DamagedJournalTests {
  @Test("P3: by a cut at any byte keeps every record before the cut") func byACutAtAnyByteKeeps()
    throws
  {
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
        // What a killed writer leaves too is no damage.
        #expect(opening.isStable && opening.problems.isEmpty, "cut at \(length)")
      }
      print("damaged files tried: \(small.journal.count) (journal, cut)")
    }
  }

  @Test(
    "P3: at any byte loses the record that the byte is in, and no other",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: [0xFF, 0x20] as [UInt8])
  func atAnyByteLosesTheRecord(flip: UInt8) throws {
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
          opening.isKept(damaged, as: "\(SmallStore.journalName).damaged-1"),
          "flipped \(flip) at \(index)")
      }
      print("damaged files tried: \(small.journal.count) (journal, flipped \(flip))")
    }
  }

  @Test(
    "P3: by what was written into its midst loses the record that it parts, and no other",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func byWhatWasWrittenIntoItsMidst()
    throws
  {
    let small = try SmallStore()
    let mark = Array(small.journal[..<4])
    let garbage: [[UInt8]] = [
      [0], [UInt8](repeating: 0, count: 4096), [0xFF, 0xFE, 0xFD], mark, mark + mark,
      mark + [0xFF, 0xFF, 0xFF, 0xFF], mark + [0xFF, 0xFF, 0xFF, 0x7F, 1, 2, 3, 4, 5, 6, 7, 8],
      mark + [0, 0, 0, 0] + [UInt8](repeating: 9, count: 12),
      (0..<700).map { UInt8(truncatingIfNeeded: $0 &* 89) },
    ]
    try withTemporaryDirectory(isInMemory: true) { directory in
      var count = 0
      for place in 0..<small.recordEnds.last! {
        // Each kind at each border between two records, one of them at each other byte.
        let isBorder = place == 0 || small.recordEnds.contains(place)
        for bytes in isBorder ? garbage : [garbage[place % garbage.count]] {
          let damaged = small.journal[..<place] + bytes + small.journal[place...]
          let opening = try SmallStore.open(
            propertyList: small.propertyList, journal: Array(damaged), in: directory)
          // At a border it parts the record behind from what its writer knew.
          let record = small.recordEnds.firstIndex { place < $0 }
          let values = opening.values
          #expect(
            values == SmallStore.values(without: record.map { $0 - 1 })
              // A byte equal to the one that it stands before parts nothing.
              || values == SmallStore.values(without: nil),
            "\(bytes.count) bytes at \(place), in record \(record ?? -1)")
          #expect(opening.isStable, "\(bytes.count) bytes at \(place)")
          #expect(
            opening.problems.map(\.code) == (opening.setAside.isEmpty ? [] : [.damaged]),
            "\(bytes.count) bytes at \(place)")
          count += 1
        }
      }
      print("damaged files tried: \(count) (journal, with garbage)")
    }
  }

  @Test("P5: by a killed writer is repaired before anything is added")
  func byAKilledWriterIsRepairedBefore() throws {
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
        // What stood there when the next writer was killed too.
        let opening = try SmallStore.open(
          propertyList: small.propertyList, journal: left, in: directory)
        var values = SmallStore.values(after: SmallStore.changes.prefix(4))
        values["iota"] = "added"
        #expect(opening.values == values, "cut at \(length)")
        #expect(opening.isStable && opening.problems.isEmpty, "cut at \(length)")
      }
    }
  }

  @Test("P3: by being another file loses nothing of the property list")
  func byBeingAnotherFileLosesNothing() throws {
    let small = try SmallStore()
    try withTemporaryDirectory(isInMemory: true) { directory in
      for (name, bytes) in DamagedPropertyListTests.foreign where !bytes.isEmpty {
        let opening = try SmallStore.open(
          propertyList: small.propertyList, journal: bytes, in: directory)
        #expect(opening.values == SmallStore.saved, "\(name)")
        #expect(opening.isStable, "\(name)")
        #expect(opening.setAside.values.allSatisfy { $0 == bytes }, "\(name)")
      }
      print(
        "damaged files tried: \(DamagedPropertyListTests.foreign.count - 1) (journal, another file)"
      )
    }
  }
}
