import KeepsakeBase

/// A document as workers keep it.
package struct WrittenCard: Codable, Identifiable, Hashable, Sendable {
  package var id: String
  /// Which of its writer's saves it is.
  package var number = 0
  /// The text of that save.
  package var text = ""
  /// How often each editor changed it.
  package var counts: [String: Int] = [:]
  /// The names of its images.
  package var images: [String] = []

  /// A card without content.
  package init(id: String) { self.id = id }
}

/// How many cards a writer has.
package let writtenCardCount = 8

/// The card that a writer keeps a number in: each is written over again and again.
package func writtenCardID(_ prefix: String, _ number: Int) -> String {
  "\(prefix)-\(number % writtenCardCount)"
}

/// The extension of all workers' documents.
package let cardExtension = "rwcard"

/// Whether a card gets a new image with a number: every other time that it is written.
package func getsImage(_ number: Int) -> Bool { number / writtenCardCount % 2 == 0 }

/// The image that a writer keeps for a number: its own witness, for its header says the number as
/// its width, and all else follows from it.
package func writtenImage(_ number: Int) -> [UInt8] {
  var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
  bytes += Array("IHDR".utf8)
  bytes +=
    withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } + [0, 0, 0, 1, 8, 6, 0, 0, 0]
  var random = SeededRandom(seed: UInt64(number))
  for _ in 0..<(100 + number * 131 % 4000) {
    bytes.append(UInt8(truncatingIfNeeded: random.next()))
  }
  return bytes
}
