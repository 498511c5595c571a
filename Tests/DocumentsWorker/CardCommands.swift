import KeepsakeDocuments
import KeepsakeTestSupport

extension DocumentsWorker {
  /// Keeps one number after the other, each in one of the writer's cards, and says it when the store
  /// did. Every other time a card gets a new image.
  static func write(
    _ store: DocumentStore<WrittenCard>, prefix: String, from first: Int, count: Int
  ) throws {
    var cards: [String: WrittenCard] = [:]
    for id in try store.ids() where id.hasPrefix(prefix) { cards[id] = try store.load(id) }
    for number in first..<first + count {
      let id = writtenCardID(prefix, number)
      var card = cards[id] ?? WrittenCard(id: id)
      card.number = number
      card.text = writtenText(number)
      if getsImage(number) {
        card.images = [try store.addAsset(writtenImage(number)).name]
      }
      if cards[id] == nil { try store.create(card) } else { try store.save(card) }
      cards[id] = card
      say("\(number)")
    }
  }

  /// Adds one to an editor's count in a card that others edit too, as often as is asked for; where
  /// somebody was faster, both changes are made.
  static func edit(
    _ store: DocumentStore<WrittenCard>, card id: String, editor: String, count: Int
  ) throws {
    for _ in 0..<count {
      var card = try store.load(id)
      card.counts[editor, default: 0] += 1
      try settle(whatIsLost: "\(editor) \(card.counts[editor]!)") { () throws(DocumentError) in
        try store.save(card)
      } by: { (conflict) throws(DocumentError) in
        _ = try store.resolve(conflict, by: .merge)
      }
      say("saved")
    }
  }

  /// Does the same with a live document, which follows what others write.
  static func editLive(
    _ store: DocumentStore<WrittenCard>, card id: String, editor: String, count: Int
  ) throws {
    let card = try store.open(id)
    for number in 1...count {
      card.edit { $0.counts[editor, default: 0] += 1 }
      try settle(whatIsLost: "\(editor) \(number)") { () throws(DocumentError) in
        try card.save()
      } by: { (_) throws(DocumentError) in
        _ = try card.resolve(.merge)
      }
      say("saved")
    }
    if card.hasUnsavedChanges || card.conflict != nil { say("! not all of it is saved") }
  }

  /// Saves, and merges as often as somebody else is faster.
  private static func settle(
    whatIsLost: String, _ save: () throws(DocumentError) -> Void,
    by merge: (DocumentConflict) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    var conflict: DocumentConflict?
    while true {
      do throws(DocumentError) {
        if let conflict { try merge(conflict) } else { try save() }
        return
      } catch {
        guard error.code == .conflict, let found = error.conflict else { throw error }
        // Each editor has a key of its own: nothing excludes anything.
        if !found.overlaps.isEmpty { say("! \(whatIsLost): \(found.overlaps)") }
        conflict = found
        say("conflict")
      }
    }
  }
}
