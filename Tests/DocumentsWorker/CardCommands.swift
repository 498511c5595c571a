import KeepsakeCoding
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

  /// Adds one to an editor's count in a card that others edit too, as often as is asked for, and says
  /// what each change met.
  static func edit(
    _ store: DocumentStore<WrittenCard>, card id: String, editor: String, count: Int
  ) throws {
    for _ in 0..<count {
      while true {
        var card = try store.load(id)
        let before = card
        card.counts[editor, default: 0] += 1
        do throws(DocumentError) {
          try store.save(card)
          say("saved")
          break
        } catch {
          guard error.code == .conflict, let conflict = error.conflict,
            let theirs = conflict.theirs
          else { throw error }
          // What the merge offers has both changes.
          let merged = try JSON.Decoder().decode(
            WrittenCard.self, from: conflict.merged.serialized())
          let other = try JSON.Decoder().decode(WrittenCard.self, from: theirs.serialized())
          var expected = other
          expected.counts[editor] = card.counts[editor]
          if merged != expected || !conflict.places.isEmpty || other == before {
            say("! merged \(before) and \(card) and \(other) to \(merged), \(conflict.places)")
          }
          say("conflict")
        }
      }
    }
  }
}
