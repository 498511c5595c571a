import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

/// Nothing that is read may crash, hang, or take memory beyond what the file's size allows.
@Suite("A damaged property list is read or refused") struct DamageTests {
  private static func sample(seed: UInt64) -> PropertyList.Value {
    var random = RandomValues(seed: seed)
    return .dictionary(random.dictionary(count: 5))
  }

  private func read(_ bytes: [UInt8]) -> Bool {
    _ = try? PropertyList.Decoder().decode(Probe.self, from: bytes)
    return (try? PropertyList.Value(parsing: bytes)) != nil
  }

  @Test("where any byte is another, in binary and in XML", arguments: 1...2 as ClosedRange<UInt64>)
  func whereAnyByteIsAnother(seed: UInt64) {
    let value = Self.sample(seed: seed)
    var random = RandomValues(seed: seed)
    for bytes in [value.serializedBinary(), value.serializedXML()] {
      for index in bytes.indices {
        var damaged = bytes
        for byte in [0, 0xFF, bytes[index] ^ 0x80, bytes[index] &+ 1, UInt8(random.below(256))] {
          damaged[index] = byte
          _ = try? PropertyList.Value(parsing: damaged)
        }
        _ = try? PropertyList.Decoder().decode(Probe.self, from: damaged)
      }
    }
  }

  @Test("where it is cut off anywhere", arguments: 1...2 as ClosedRange<UInt64>)
  func whereItIsCutOffAnywhere(seed: UInt64) {
    let value = Self.sample(seed: seed)
    for bytes in [value.serializedBinary(), value.serializedXML()] {
      // The first letters alone are a string of OpenStep's.
      for count in bytes.indices.dropFirst(6).dropLast(20) {
        #expect(!read(Array(bytes[..<count])), "\(count) of \(bytes.count)")
      }
    }
  }

  @Test(
    "where nothing in it is right",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func whereNothingInItIsRight() {
    var random = RandomValues(seed: 9)
    for _ in 0..<100_000 {
      var bytes = (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      _ = read(bytes)
      // With a head and a trailer that let the objects be looked at.
      bytes = Array("bplist00".utf8) + bytes
      let table = bytes.count
      let count = 1 + random.below(9)
      bytes += (0..<count).map { _ in UInt8(8 + random.below(max(table - 8, 1))) }
      bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(count)]
      bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
      _ = read(bytes)
    }
  }
}
