import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("P3: recovery of damaged XML property lists")
struct RecoveryTests {
  /// A document with what settings hold, and where its entries are.
  struct Sample {
    let entries: [String: PropertyList.Value]
    let bytes: [UInt8]
    /// The range of each entry, from its key's line to its value's end, in order.
    let ranges: [Range<Int>]

    init() {
      var entries: [String: PropertyList.Value] = [:]
      for index in 10..<40 {
        let value: PropertyList.Value =
          switch index % 10 {
          case 0: .string("text <&> \(index)\u{1}é\n\t<key>")
          case 1: .integer(Int64(index) * 1_000_003)
          case 2: .boolean(index % 4 == 0)
          case 3: .real(Double(index) / 7)
          case 4: .date(Date(timeIntervalSinceReferenceDate: Double(index) * 86_399.5))
          case 5: .data(Data(repeating: UInt8(index), count: index))
          case 6: ["key10": "nested", "a": ["b": [1, 2], "c": [:]], "key\(index)": true]
          case 7: [["key11": 5], "x", [], ["y": [:]]]
          case 8: index == 18 ? [:] : []
          default: .string("")
          }
        entries["key\(index)"] = value
      }
      self.entries = entries
      let bytes = PropertyList.Value.dictionary(entries).serializedXML()
      self.bytes = bytes
      let mark = Array("\n\t<key>".utf8)
      let starts = bytes.indices.filter { bytes[$0...].starts(with: mark) }
      let end = bytes.count - Array("\n</dict>\n</plist>\n".utf8).count
      ranges = starts.indices.map { starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : end) }
    }

    /// The keys of the entries that a range of the document touches.
    func keys(touching range: Range<Int>) -> Set<String> {
      Set(ranges.indices.filter { ranges[$0].overlaps(range) }.map { "key\($0 + 10)" })
    }

    /// What is recovered, after checking that no more of it is wrong than the entries touched:
    /// damage within a key can give one entry another's key.
    func recover(_ damaged: [UInt8], touching range: Range<Int>) -> PropertyList.Recovery {
      let result = PropertyList.recover(damaged)
      let wrong = values(result).filter { entries[$0.key] != $0.value }
      if wrong.count > keys(touching: range).count {
        Issue.record("invented \(wrong) with damage at \(range)")
      }
      return result
    }
  }

  let sample = Sample()

  @Test("A document that is not damaged is whole and has no faults")
  func undamaged() {
    let result = PropertyList.recover(sample.bytes)
    #expect(values(result) == sample.entries)
    #expect(result.errors.isEmpty)
  }

  @Test("Cut off at any byte, every entry before the cut is kept, and none in part")
  func truncation() {
    for length in sample.bytes.indices {
      let result = sample.recover(
        Array(sample.bytes[..<length]), touching: sample.bytes.count..<sample.bytes.count)
      let whole = sample.ranges.indices.filter { sample.ranges[$0].upperBound <= length }
      guard Set(values(result).keys) == Set(whole.map { "key\($0 + 10)" }) else {
        Issue.record("cut at \(length): \(values(result).keys.sorted())")
        return
      }
      let isWhole = length == sample.bytes.count - 1
      #expect(result.errors.count == (isWhole ? 0 : 1))
    }
  }

  @Test("Filled with NUL from any byte on, every entry before that is kept, and none in part")
  func nulTail() {
    for length in sample.bytes.indices.dropLast() {
      let damaged =
        sample.bytes[..<length] + [UInt8](repeating: 0, count: sample.bytes.count - length)
      let result = sample.recover(
        Array(damaged), touching: sample.bytes.count..<sample.bytes.count)
      let whole = sample.ranges.indices.filter { sample.ranges[$0].upperBound <= length }
      guard Set(values(result).keys) == Set(whole.map { "key\($0 + 10)" }) else {
        Issue.record("NUL from \(length): \(values(result).keys.sorted())")
        return
      }
    }
  }

  @Test("Without its head, every entry that begins after the cut is kept")
  func missingHead() {
    for start in sample.bytes.indices.dropFirst(3) {
      let result = sample.recover(
        Array(sample.bytes[start...]), touching: sample.bytes.count..<sample.bytes.count)
      let whole = sample.ranges.indices.filter { sample.ranges[$0].lowerBound >= start }
      guard Set(values(result).keys).isSuperset(of: whole.map { "key\($0 + 10)" }) else {
        Issue.record("from \(start): \(values(result).keys.sorted())")
        return
      }
    }
  }

  @Test(
    "With any byte changed, all entries but the one it is in and its neighbour are kept",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func flips() {
    for offset in sample.bytes.indices {
      for mask: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, sample.bytes[offset]] {
        var damaged = sample.bytes
        damaged[offset] ^= mask
        let result = sample.recover(damaged, touching: offset..<offset + 1)
        let kept = values(result).filter { sample.entries[$0.key] == $0.value }
        guard kept.count >= sample.entries.count - 2 else {
          Issue.record("byte \(offset) ^ \(mask): \(kept.count) kept; \(result.errors)")
          return
        }
      }
    }
  }

  @Test("With a block overwritten, all entries outside of it but its neighbours are kept")
  func blocks() {
    var random = RandomValues(seed: 6)
    for round in 0..<4_000 {
      let start = random.below(sample.bytes.count)
      let range = start..<min(start + 1 + random.below(300), sample.bytes.count)
      let filler: (Int) -> UInt8 =
        switch round % 4 {
        case 0: { _ in 0 }
        case 1: { _ in 0x20 }
        case 2: { _ in 0xFF }
        default: { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
      var damaged = sample.bytes
      for offset in range { damaged[offset] = filler(offset) }
      let result = sample.recover(damaged, touching: range)
      let touched = sample.keys(touching: range.lowerBound..<range.upperBound + 1)
      let kept = values(result).filter { sample.entries[$0.key] == $0.value }
      guard kept.count >= sample.entries.count - touched.count - 1 else {
        Issue.record("\(range), round \(round): \(kept.count) kept; \(result.errors)")
        return
      }
    }
  }

  @Test("A dictionary further in is not taken for the root where the root's tag is blank")
  func blankRoot() {
    let text = String(decoding: sample.bytes, as: UTF8.self)
    let ranges = text.ranges(of: "<dict>\n")
    let (root, inner) = (ranges[0].lowerBound, ranges[1].lowerBound)
    let blank = String(repeating: " ", count: text.utf8.distance(from: root, to: inner))
    for tail in [text[inner...].dropLast(0), text[inner...].dropLast(30)] {
      let damaged = Array((text[..<root] + blank + tail).utf8)
      let result = sample.recover(damaged, touching: 0..<0)
      #expect(values(result).count == (tail.hasSuffix("</plist>\n") ? 23 : 22))
    }
  }

  @Test("Several damaged places cost no more entries than two each")
  func severalFlips() {
    var random = RandomValues(seed: 7)
    for _ in 0..<2_000 {
      var damaged = sample.bytes
      for _ in 0..<4 { damaged[random.below(damaged.count)] = 0 }
      let result = sample.recover(damaged, touching: 0..<0)
      guard values(result).count >= sample.entries.count - 8 else {
        Issue.record("\(values(result).count) kept; \(result.errors)")
        return
      }
    }
  }

  @Test(
    "In a file without lines, nothing in a damaged container is taken for an entry",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func withoutLines() {
    let text = String(decoding: sample.bytes, as: UTF8.self)
    let minified = Array(
      text.split(separator: "\n").map { $0.drop { $0 == "\t" } }.joined().utf8)
    let entries = values(PropertyList.recover(minified))
    #expect(entries.count == 30)
    for offset in minified.indices {
      for mask: UInt8 in [0x01, 0x10, minified[offset], minified[offset] ^ 0x20] {
        var damaged = minified
        damaged[offset] ^= mask
        let result = PropertyList.recover(damaged)
        let wrong = values(result).filter { entries[$0.key] != $0.value }
        guard wrong.count <= 1 else {
          Issue.record("byte \(offset) ^ \(mask): invented \(wrong)")
          return
        }
      }
    }
  }

  @Test("In a file without lines, entries after a damaged one are kept")
  func withoutLinesKept() {
    let text = """
      <plist><dict><key>a</key><integer>1</integer><key>b</key><dict><key>c</key><integer>x</integer>\
      <key>d</key><true/></dict><key>e</key><string>f</string></dict></plist>
      """
    let result = PropertyList.recover(Array(text.utf8))
    #expect(values(result) == ["a": 1, "e": "f"])
    #expect(result.errors.first?.path == ["b", "c"])
  }

  @Test("A damaged byte that makes the file look like UTF-16 costs nothing") func zeroByte() {
    let value: PropertyList.Value = ["a": 1, "b": "text"]
    for padding in ["", " "] {
      var bytes = value.serializedXML() + Array(padding.utf8)
      bytes[1] = 0
      #expect(values(PropertyList.recover(bytes)) == ["a": 1, "b": "text"])
    }
  }

  @Test("A mistake of a person who edited the file costs the entry that it is in")
  func mistakes() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      \t<key>first</key>
      \t<string>one</string>

          <key>second</key>
          <string>this & that</string>
      \t<key>third</key>
      \t<true>
      \t<!--
      \t<key>hidden</key>
      \t<string>not this</string>
      \t-->
      \t<key>fourth</key>
      \t<integer>4</integer>
      </dict>
      </plist>
      """
    let result = PropertyList.recover(Array(text.utf8))
    #expect(values(result) == ["first": "one", "fourth": 4])
    #expect(result.errors.map(\.location.line) == [8, 10])
    #expect(result.errors.map(\.path) == [["second"], ["third"]])
  }

  @Test("What stands behind the end, as of an older and longer file, is not read")
  func staleTail() {
    let stale = sample.bytes + sample.bytes[sample.ranges[7].lowerBound...]
    var other = Array("\n\t<key>stale</key>\n\t<true/>\n</dict>\n</plist>\n".utf8)
    other.insert(contentsOf: sample.bytes, at: 0)
    for damaged in [stale, other] {
      let result = PropertyList.recover(damaged)
      #expect(values(result) == sample.entries)
      #expect(result.errors.count == 1)
    }
  }

  @Test("A file that holds no dictionary gives nothing, and says so")
  func noDictionary() {
    for text in ["", "\0\0\0", "<plist><array/></plist>", "bplist00", "{\"a\": 1}", "<true/>"] {
      let result = PropertyList.recover(Array(text.utf8))
      #expect(values(result).isEmpty)
      #expect(result.errors.count == 1, "\(text)")
    }
  }
}

private func values(_ recovery: PropertyList.Recovery) -> [String: PropertyList.Value] {
  Dictionary(recovery.entries.map { ($0.key, $0.value) }) { _, last in last }
}
