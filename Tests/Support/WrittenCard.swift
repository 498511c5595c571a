import KeepsakeBase

/// The document type that workers save.
package struct WrittenCard: Codable, Identifiable, Hashable, Sendable {
  package var id: String
  /// The number of its writer's save.
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

/// The card in which a writer saves a number: each card is overwritten many times.
package func writtenCardID(_ prefix: String, _ number: Int) -> String {
  "\(prefix)-\(number % writtenCardCount)"
}

/// The extension of all workers' documents.
package let cardExtension = "rwcard"

/// Whether a save adds an image: every second time that its card is written.
package func getsImage(_ number: Int) -> Bool { number / writtenCardCount % 2 == 0 }

/// The image that a writer saves for a number. It verifies itself: its header has the number as its
/// width, and all other bytes follow from it.
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
