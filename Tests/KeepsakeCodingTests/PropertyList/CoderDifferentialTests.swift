import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Property-list coders do as Foundation's") struct CoderDifferentialTests {
  @Test(
    "with what any value makes of itself, each reading the other",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: [1, 2, 3, 4] as [UInt64], [PropertyList.Format.xml, .binary])
  func withWhatAnyValueMakesOfItself(
    seed: UInt64, format: PropertyList.Format
  ) throws {
    var random = RandomValues(seed: seed &* 1000)
    random.isPortable = true
    let (encoder, decoder) = (PropertyList.Encoder(), PropertyList.Decoder())
    let (theirEncoder, theirDecoder) = (PropertyListEncoder(), PropertyListDecoder())
    encoder.outputFormat = format
    theirEncoder.outputFormat = format
    var decodings = 0
    for _ in 0..<700 {
      let node = Node.array([random.node()])
      let (bytes, theirBytes) = (try encoder.encode(node), try theirEncoder.encode(node))
      let probes = [
        try decoder.decode(Probe.self, from: bytes),
        try theirDecoder.decode(Probe.self, from: bytes),
        try decoder.decode(Probe.self, from: theirBytes),
        try theirDecoder.decode(Probe.self, from: theirBytes),
      ]
      guard probes.allSatisfy({ $0 == probes[3] }) else {
        Issue.record("\(node):\n\(firstDifference(probes))")
        return
      }
      // A line for each: 200,000 and more in all.
      decodings += probes.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
    }
    #expect(decodings > 25_000)
  }

  private func firstDifference(_ probes: [Probe]) -> String {
    let lines = probes.map { $0.text.split(separator: "\n") }
    for index in 0..<(lines.map(\.count).min() ?? 0)
    where Set(lines.map { $0[index] }).count > 1 {
      return lines.map { String($0[index]) }.joined(separator: "\n")
    }
    return "one is longer"
  }
}
