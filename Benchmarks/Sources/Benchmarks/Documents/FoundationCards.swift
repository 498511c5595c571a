import Foundation
import Glibc
import Synchronization

/// Cards in a directory, a file each, as one writes it with Foundation: `Data` and `JSONDecoder`,
/// `.atomic`, and the flush of the directory that `.atomic` leaves out.
final class FoundationCards: Sendable {
  let directory: URL

  init(directory: String) throws {
    self.directory = URL(fileURLWithPath: directory)
    try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".\(SampleCard.pathExtension)") }.sorted()
  }

  private func load(_ name: String, _ decoder: JSONDecoder) throws -> SampleCard {
    try decoder.decode(
      SampleCard.self, from: Data(contentsOf: directory.appendingPathComponent(name)))
  }

  /// All cards, one after the other.
  func all() throws -> [SampleCard] {
    let decoder = JSONDecoder()
    return try names().map { try load($0, decoder) }
  }

  /// All cards, by as many threads as there are processors.
  func allInParallel() throws -> [SampleCard] {
    let names = try names()
    let size = 100
    let pieces = Mutex<[Int: [SampleCard]]>([:])
    DispatchQueue.concurrentPerform(iterations: (names.count + size - 1) / size) { piece in
      let decoder = JSONDecoder()
      let cards = names[piece * size..<min(names.count, (piece + 1) * size)].compactMap {
        try? load($0, decoder)
      }
      pieces.withLock { $0[piece] = cards }
    }
    return pieces.withLock { pieces in pieces.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  /// The identities of all cards.
  func ids() throws -> [UUID] {
    try names().compactMap {
      UUID(uuidString: String($0.dropLast(SampleCard.pathExtension.count + 1)))
    }
  }

  /// How many cards there are, and the first.
  func first() throws -> (count: Int, card: SampleCard?) {
    let names = try names()
    return (names.count, try names.first.map { try load($0, JSONDecoder()) })
  }

  /// Saves each card, and flushes the directory once.
  func save(_ cards: [SampleCard]) throws {
    for card in cards { try write(card, named: card.id.uuidString) }
    try flush()
  }

  /// Saves any document.
  func save(_ document: some Encodable, named name: String) throws {
    try write(document, named: name)
    try flush()
  }

  private func write(_ document: some Encodable, named name: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(document).write(
      to: directory.appendingPathComponent("\(name).\(SampleCard.pathExtension)"), options: .atomic)
  }

  private func flush() throws {
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }
}
