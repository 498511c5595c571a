import Dispatch
import KeepsakeBase
import KeepsakeDocuments
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("An edit of a document in its store") struct EditTests {
  @Test("loses none of those that threads and stores make at the same time, also of equal ones")
  func all() throws {
    try withTemporaryDirectory { directory in
      let stores = try (0..<2).map { _ in
        try DocumentStore<Card>(directory: directory, pathExtension: "card")
      }
      try stores[0].create(Card(id: "1", title: "0"))
      let errors = Mutex<[any Error]>([])
      let readers = Atomic(8)
      DispatchQueue.concurrentPerform(iterations: 9) { index in
        do {
          if index == 8 {
            // A store that reads meanwhile has seen what it does not edit.
            while readers.load(ordering: .relaxed) > 0 {
              for store in stores { _ = try store.load("1") }
            }
            return
          }
          defer { readers.subtract(1, ordering: .relaxed) }
          for _ in 0..<20 {
            try stores[index % 2].edit("1") { $0.title = String((Int($0.title) ?? 0) + 1) }
          }
        } catch {
          errors.withLock { $0.append(error) }
        }
      }
      #expect(errors.withLock { $0.map { "\($0)" } } == [])
      #expect(try stores[0].load("1").title == "160")
    }
  }

  @Test("returns what its body returns, and changes nothing if the body throws") func results()
    throws
  {
    let directory = Directory()
    let store = try directory.open()
    try store.create(Card(id: "1", title: "old"))
    let before = directory.text("1.card")
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try store.edit("1") { card in
        card.title = "new"
        throw Refusal()
      }
    }
    #expect(directory.text("1.card") == before)
    let error = #expect(throws: DocumentError.self) {
      try store.edit("1") { $0 = Card(id: "2", title: "new") }
    }
    #expect(error?.code == .wrongIdentity)
    #expect(directory.text("1.card") == before)
    #expect(try store.edit("1") { card in card.title } == "old")
    #expect(throws: DocumentError.self) { try store.edit("none") { $0.title = "x" } }
  }

  @Test("is received by an open document that has no edits of its own") func live() async throws {
    let directory = Directory()
    let store = try directory.open()
    try store.create(Card(id: "1", title: "old"))
    let live = try store.open("1")
    try store.edit("1") { $0.title = "new" }
    await until { live.value.title == "new" }
    #expect(live.value.title == "new")
  }
}
