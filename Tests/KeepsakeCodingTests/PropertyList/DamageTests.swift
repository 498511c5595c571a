import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

/// Nothing that is read may crash, hang, or take memory beyond what the file's size allows.
@Suite struct `A damaged property list is read or refused` {
  private static func sample(seed: UInt64) -> PropertyList.Value {
    var random = RandomValues(seed: seed)
    return .dictionary(random.dictionary(count: 5))
  }

  private func read(_ bytes: [UInt8]) -> Bool {
    _ = try? PropertyList.Decoder().decode(Probe.self, from: bytes)
    return (try? PropertyList.Value(parsing: bytes)) != nil
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `where any byte is another, in binary and in XML`(seed: UInt64) {
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

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `where it is cut off anywhere`(seed: UInt64) {
    let value = Self.sample(seed: seed)
    for bytes in [value.serializedBinary(), value.serializedXML()] {
      // The first letters alone are a string of OpenStep's.
      for count in bytes.indices.dropFirst(6).dropLast(20) {
        #expect(!read(Array(bytes[..<count])), "\(count) of \(bytes.count)")
      }
    }
  }

  @Test(.enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func `where nothing in it is right`() {
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
