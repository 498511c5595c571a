import Stage

/// A card in the trash.
struct RemovedCard: Equatable, Identifiable, Sendable {
  let document: RemovedDocument<UUID>
  let title: String
  /// When it was removed.
  let date: Date

  var id: UUID { document.id }
}

extension RemovedCard {
  /// The cards in the trash that can be read, the one that was removed last at the end.
  ///
  /// - Parameter count: How many of the last ones are read.
  static func last(_ count: Int, in documents: DocumentStore<Card>) throws -> [RemovedCard] {
    let files = FileManager.default
    let dated = try documents.removed().map { document in
      let attributes = try? files.attributesOfItem(atPath: document.directory.string)
      return (document, attributes?[.modificationDate] as? Date ?? .distantPast)
    }
    return dated.sorted { $0.1 < $1.1 }.suffix(count).compactMap { document, date in
      let path = document.directory.appending("\(document.id).rwcard").string
      guard let bytes = files.contents(atPath: path),
        let card = try? JSON.Decoder().decode(Card.self, from: Array(bytes))
      else { return nil }
      return RemovedCard(document: document, title: card.title, date: date)
    }
  }
}
