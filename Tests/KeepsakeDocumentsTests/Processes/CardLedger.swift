import KeepsakeDocuments
import KeepsakeTestSupport

/// What one writer of cards, who is killed and started again and again, was told is kept.
struct CardLedger {
  let prefix: String
  /// The last number that was acknowledged in each card.
  private(set) var acknowledged: [String: Int] = [:]
  private(set) var count = 0
  private(set) var problems: [String] = []
  /// The next number that nobody was asked to keep yet.
  private var next = 1
  private var worker: Worker?

  init(prefix: String) { self.prefix = prefix }

  /// Starts the writer unless it runs.
  mutating func start(in directory: CardDirectory) throws {
    if worker == nil { worker = try directory.worker("write", prefix, "\(next)", "1000000000") }
  }

  /// Waits until something more was acknowledged.
  mutating func awaitAcknowledgement() throws {
    guard let worker, let line = try worker.readLine() else {
      problems += worker?.problems ?? []
      throw Worker.Failure.ended
    }
    note([line])
  }

  mutating func readAcknowledgements() throws {
    if let worker { note(try worker.readLines()) }
  }

  mutating func kill() throws {
    guard let worker else { return }
    worker.kill()
    note(try worker.readLines())
    problems += worker.problems
    self.worker = nil
    // One may have been kept, and its writer killed before it said so.
    next += 1
  }

  private mutating func note(_ lines: [String]) {
    for line in lines {
      guard let number = Int(line) else {
        problems.append("'\(line)'")
        continue
      }
      acknowledged[writtenCardID(prefix, number)] = number
      next = number + 1
      count += 1
    }
  }

  /// What is wrong with this writer's cards.
  ///
  /// - Parameters:
  ///   - cards: All cards; those of this writer are taken out.
  ///   - before: This writer as it was before they were loaded.
  ///   - image: The content of an image.
  func faults(
    in cards: inout [String: WrittenCard], since before: CardLedger,
    image: (String) throws -> [UInt8]
  ) -> [String] {
    var faults: [String] = []
    for slot in 0..<writtenCardCount {
      let id = writtenCardID(prefix, slot)
      guard let card = cards.removeValue(forKey: id) else {
        if before.acknowledged[id] != nil { faults.append("\(id) is lost") }
        continue
      }
      let kept = before.acknowledged[id] ?? 0
      if card.number < kept || card.number > next + 1 || writtenCardID(prefix, card.number) != id {
        faults.append("\(id) is \(card.number), and \(kept) was kept")
      }
      if card.text != writtenText(card.number) { faults.append("\(id) is torn: \(card)") }
      for name in card.images {
        guard let bytes = try? image(name), let size = Asset.ImageSize(of: bytes),
          bytes == writtenImage(size.width), size.width <= card.number
        else {
          faults.append("the image \(name) of \(id) is not whole")
          continue
        }
        if getsImage(card.number), size.width != card.number {
          faults.append("\(id) has the image of \(size.width)")
        }
      }
      if getsImage(card.number), card.images.count != 1 { faults.append("\(id) has no image") }
    }
    return faults
  }
}
