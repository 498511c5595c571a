import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage

extension DocumentLife {
  /// Holds what a cut left against what was true: each document is as it was, or as it was just being
  /// made, with all of its assets.
  mutating func check(_ disk: SimulatedDisk, _ cut: CutExplorer.Point) throws {
    let last = cut.marks.count
    try check(disk, history[last], history[min(last + 1, history.count - 1)])
  }

  /// Holds what a cut left against the end of a life in which calls failed.
  mutating func checkEnd(_ disk: SimulatedDisk) throws {
    try check(disk, history.last!, history.last!)
  }

  private mutating func check(_ disk: SimulatedDisk, _ before: World, _ after: World) throws {
    if disk.bytes(at: Directory.path) == nil, try disk.information(at: Directory.path) == nil {
      guard before.cards.isEmpty else { throw Broken("the directory is gone") }
      return
    }
    let store = try open(disk)
    let names = try disk.contents(ofDirectory: Directory.path)
    if names.contains("Quarantine") { throw Broken("something was quarantined") }
    for id in Self.ids {
      let card = names.contains("\(id).card") ? try store.load(id) : nil
      let possible = [before.cards[id], after.cards[id]] + (doubts[id] ?? [])
      guard possible.contains(card) else {
        throw Broken("\(id) is \(String(describing: card)); possible were \(possible)")
      }
      if let card {
        try checkImages(of: card, store)
        continue
      }
      let isEmptied = after.cards[id] == nil && after.trash[id] == nil
      let old =
        isEmptied || doubts[id]?.contains(nil) == true ? nil : before.cards[id] ?? before.trash[id]
      guard let trashed = try store.removed().last(where: { $0.id == id }) else {
        if old != nil { throw Broken("\(id) is neither there nor in the trash") }
        continue
      }
      // What can come back comes back whole.
      try store.restore(trashed)
      let restored = try store.load(id)
      if let old, restored != old, !possible.contains(restored) {
        throw Broken("\(id) came back as \(restored)")
      }
      try checkImages(of: restored, store)
    }
    // What was left is as good as new; tried now and then, for it takes the most time.
    checks += 1
    guard checks % 5 == 0, var card = try store.ids().first.map(store.load)
    else { return }
    card.title = "new"
    try store.save(card)
    guard try open(disk).load(card.id) == card else { throw Broken("\(card.id) cannot be saved") }
  }

  private func checkImages(of card: Card, _ store: DocumentStore<Card>) throws {
    for asset in card.elements.compactMap(\.image) {
      guard try store.asset(asset) == images[asset] else {
        throw Broken("\(card.id) has an image that is not whole")
      }
    }
  }
}
