import KeepsakeBase
import KeepsakeTestSupport
import Testing

@testable import KeepsakeSync

@Suite("The documents that wait")
struct WaitingDocumentsTests {
  /// Those that are to be compared, in order.
  private func entries(_ waiting: inout WaitingDocuments) -> [WaitingDocuments.Entry] {
    waiting.slots().compactMap { waiting.entry(at: $0) }
  }

  @Test("They are compared in the order in which they were noted, also after they were compared")
  func order() {
    var random = SeededRandom(seed: 3)
    var waiting = WaitingDocuments()
    var sending: [String] = []
    for round in 0..<20_000 {
      let name = String(Int.random(in: 0..<40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: waiting.note(name)
      case 2:
        let found = entries(&waiting)
        let moments = found.map(\.first)
        #expect(moments == moments.sorted() && Set(found.map(\.name)).count == found.count)
        guard let first = found.first else { continue }
        // It may be changed after it was read.
        if round % 5 == 0 { waiting.note(first.name) }
        waiting.compared(first, isSending: true)
        sending.append(first.name)
      case 3: if let name = sending.popLast() { waiting.sent(name) }
      case 4: if let name = sending.popLast() { waiting.again(name) }
      default: if let name = sending.popLast() { waiting.refuse(name) }
      }
      if round % 100 == 0 { waiting.refusedAgain() }
    }
    waiting.refusedAgain()
    for name in Set(sending) { waiting.again(name) }
    let names = Set(entries(&waiting).map(\.name))
    #expect(names.count == waiting.count)
    for document in entries(&waiting) { waiting.compared(document, isSending: false) }
    #expect(waiting.count == 0 && waiting.isNone(through: waiting.now))
  }
}
