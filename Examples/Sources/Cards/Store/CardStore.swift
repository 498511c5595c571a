import Stage

/// The cards of the documents directory, shared by all windows.
///
/// Each card is a file, `<id>.rwcard`, with its images beside it. A change of what is on a card is
/// saved at once; moving, resizing and turning a second after it began, and when a window that shows
/// the card is done with it or turns inactive.
@MainActor
final class CardStore: ObservableObject {
  /// All cards, the oldest first.
  @Published private(set) var summaries: [CardSummary] = []
  /// Whether all cards have been looked for.
  @Published private(set) var isLoaded = false
  /// What the user should know, such as a card that cannot be read.
  @Published var problem: Problem?
  /// The last cards in the trash, the one that was removed last at the end.
  @Published private(set) var removed: [RemovedCard] = []
  /// Those of them that Undo brings back, one after the other.
  @Published private var undoable: Set<UUID> = []

  let thumbnails: Thumbnails
  /// What the person who installs the app decides.
  let configuration: LiveConfiguration<CardsConfiguration>

  nonisolated private static let removedLimit = 20
  private static let imageTypes: [Asset.ContentType] = [.png, .jpeg, .gif, .webp]

  private let documents: DocumentStore<Card>
  private var cards: [UUID: LiveDocument<Card>] = [:]

  /// Opens the directory of an app's documents, and begins to read the cards there.
  init(
    in container: AppContainer = .main, autosaveDelay: Duration = .seconds(1),
    configuration live: LiveConfiguration<CardsConfiguration>
  ) throws(DocumentError) {
    self.configuration = live
    thumbnails = Thumbnails(in: container)
    let (problems, told) = AsyncStream<DocumentError>.makeStream()
    var configuration = DocumentConfiguration()
    configuration.autosaveDelay = autosaveDelay
    configuration.assetLimits.types = Self.imageTypes
    documents = try DocumentStore(
      directory: container.documents, pathExtension: "rwcard", configuration: configuration
    ) { told.yield($0) }
    let changes = documents.changes
    Task { [weak self] in
      await self?.load()
      for await change in changes { await self?.follow(change) }
    }
    Task { [weak self] in
      for await problem in problems { self?.report(problem) }
    }
  }

  /// Reads the cards, each bad one of which is reported and keeps no other from being read.
  private func load() async {
    var found: [CardSummary] = []
    for await item in documents.loadAll() {
      if let card = item.document {
        found.append(CardSummary(card))
      } else if let error = item.error {
        report(error)
      }
    }
    let ids = Set(found.map(\.id))
    summaries = (found + summaries.filter { !ids.contains($0.id) })
      .sorted { $0.created < $1.created }
    thumbnails.removeAll(except: Set(summaries.map(\.id)))
    isLoaded = true
    do {
      let trash = try await Task.detached { [documents] in
        try RemovedCard.last(Self.removedLimit, in: documents)
      }.value
      let known = Set(removed.map(\.id) + summaries.map(\.id))
      removed = trash.filter { !known.contains($0.id) } + removed
      // Images that no card, past version or removed card has shown for a day.
      try await Task.detached { [documents] in _ = try documents.collectOrphans() }.value
    } catch {
      report(error)
    }
  }

  /// Lists what others add, what comes back and what it is called now, and no longer lists what is gone.
  ///
  /// What is on a card that is open follows its file by itself.
  private func follow(_ change: DocumentChange<UUID>) async {
    switch change {
    case .created(let id), .changed(let id):
      do {
        if cards[id] == nil {
          // Somebody may still be writing the file, which is waited for.
          cards[id] = try await Task.detached { [documents] in try documents.open(id) }.value
        }
        list(id)
      } catch {
        report(error)
      }
    case .removed(let id):
      unlist(id)
    }
  }

  /// Has the list say what a card is called now.
  private func list(_ id: UUID) {
    guard let summary = card(id).map(CardSummary.init) else { return }
    if removed.contains(where: { $0.id == id }) { removed.removeAll { $0.id == id } }
    if let index = summaries.firstIndex(where: { $0.id == id }) {
      if summaries[index] != summary { summaries[index] = summary }
    } else {
      let index = summaries.firstIndex { $0.created > summary.created }
      summaries.insert(summary, at: index ?? summaries.count)
    }
  }

  private func unlist(_ id: UUID) {
    summaries.removeAll { $0.id == id }
    cards[id] = nil
  }

  /// The identities of all cards, the oldest card first.
  var ids: [UUID] { summaries.map(\.id) }

  /// The cards that have some words, in an order.
  func ids(with words: String, in order: CardOrder) -> [UUID] {
    let words = words.split(separator: " ")
    let found = summaries.filter { card in
      words.allSatisfy { card.words.localizedStandardContains($0) }
    }
    return order.sorted(found).map(\.id)
  }

  /// The card of an identity, as it is now; nil where there is none that can be read.
  func card(_ id: UUID) -> Card? {
    guard let document = document(id) else {
      // Who reads this looks again when the list changes, as it does when the card can be read.
      _ = summaries
      return nil
    }
    return document.isRemoved ? nil : document.value
  }

  private func document(_ id: UUID) -> LiveDocument<Card>? {
    if let card = cards[id] { return card }
    guard let card = try? documents.open(id) else { return nil }
    cards[id] = card
    return card
  }

  /// Makes a card of a random color.
  func addCard() -> UUID {
    let card = Card(created: Date(), backgroundColor: Palette.random())
    attempt {
      cards[card.id] = try documents.add(card)
      list(card.id)
    }
    return card.id
  }

  /// Makes another card of the same content, whose images are the same files.
  func duplicate(_ id: UUID) -> UUID? {
    guard var card = card(id) else { return nil }
    card.name = card.name.map { $0.isEmpty ? $0 : "\($0) copy" }
    return add(card)
  }

  /// Keeps a card under another identity.
  private func add(_ card: Card, as id: UUID = UUID()) -> UUID? {
    var card = card
    (card.id, card.created) = (id, Date())
    return attempt {
      cards[card.id] = try documents.add(card)
      list(card.id)
      return card.id
    }
  }

  /// The file of a card with its images, made when it is asked for; images that are missing are left out.
  ///
  /// - Parameters:
  ///   - name: The name that the card has there.
  ///   - file: What tells the file from others.
  func archive(of id: UUID, name: String?, file: UUID = UUID()) -> ImageFile {
    ImageFile(name: "archive-\(file)", mimeType: "application/json") { [documents] in
      var archive = CardArchive(card: try documents.open(id).value)
      archive.card.name = name
      for name in archive.imageNames {
        guard let asset = Asset(name: name), let bytes = try? documents.asset(asset) else {
          continue
        }
        archive.images[name] = Data(bytes)
      }
      let encoder = JSON.Encoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return try encoder.encodeToBytes(archive)
    }
  }

  /// Adds the card of such a file under an identity, once, or says what is wrong with it.
  func addArchive(_ bytes: [UInt8], named name: String? = nil, as id: UUID = UUID()) -> UUID? {
    if card(id) != nil { return id }
    let file = name.map { "“\($0)”" } ?? "This file"
    let archive: CardArchive
    do {
      archive = try JSON.Decoder().decode(CardArchive.self, from: bytes)
    } catch {
      problem = Problem(
        message: "\(file) is not a card, or it is damaged. It was not added.",
        details: "\(error)")
      return nil
    }
    let limit = configuration.largestImageMegabytes
    for (image, bytes) in archive.images {
      let isKnown = Asset.ContentType.of(bytes, among: Self.imageTypes) != nil
      if isKnown, Double(bytes.count) <= limit * 1_048_576 { continue }
      let fault = isKnown ? "larger than \(limit.formatted()) MB" : "damaged"
      problem = Problem(
        message: "\(file) has an image “\(image)” that is \(fault). It was not added.")
      return nil
    }
    var card = archive.card
    return attempt {
      for index in card.elements.indices {
        guard var element = card.elements[index] as? ImageElement,
          let image = element.imageFilename.flatMap({ archive.images[$0] })
        else { continue }
        element.imageFilename = try documents.addAsset(image).name
        card.elements[index] = element
      }
      return add(card, as: id)
    }
  }

  /// Changes a card, for every window that shows it.
  func edit(
    _ id: UUID, saving: LiveDocument<Card>.Saving = .later, _ change: (inout Card) -> Void
  ) {
    document(id)?.edit(saving: saving, change)
    list(id)
  }

  /// Saves what of a card is not saved yet.
  func save(_ id: UUID) {
    attempt { try cards[id]?.save() }
  }

  /// What somebody else made of a card on which there are unsaved changes.
  func conflict(of id: UUID) -> DocumentConflict? { document(id)?.conflict }

  /// Ends a conflict.
  func resolve(_ id: UUID, _ resolution: DocumentConflict.Resolution) {
    attempt { try document(id)?.resolve(resolution) }
  }

  /// Moves a card to the trash.
  func remove(_ id: UUID) {
    attempt {
      let title = card(id)?.title ?? ""
      try cards[id]?.save()
      removed.append(
        RemovedCard(document: try documents.remove(id), title: title, date: Date()))
      removed = removed.suffix(Self.removedLimit)
      undoable.insert(id)
      unlist(id)
    }
  }

  /// The card that Undo brings back.
  var lastRemoved: RemovedCard? { removed.last { undoable.contains($0.id) } }

  /// Has Undo bring no card back any more; they stay in the trash.
  func endUndo() { undoable = [] }

  /// Brings a card back that was removed.
  func restore(_ card: RemovedCard) {
    attempt {
      try documents.restore(card.document)
      list(card.id)
    }
  }

  /// Keeps an image, unless it is larger than images may be, and makes an element of it for a card.
  func imageElement(_ upload: Upload, for card: Card) -> ImageElement? {
    let limit = configuration.largestImageMegabytes
    guard Double(upload.bytes.count) <= limit * 1_048_576 else {
      problem = Problem(
        message: "The image is larger than \(limit.formatted()) MB, and was not kept.")
      return nil
    }
    return attempt {
      var element = ImageElement(
        id: upload.id, imageFilename: try documents.addAsset(upload.bytes).name)
      element.transform.size = upload.size.fitted(in: Settings.defaultElementSize)
      element.transform.offset =
        upload.location.map { CGSize(width: $0.x, height: $0.y) }
        ?? card.freeOffset(for: element.transform.size)
      element.transform = element.transform.reachable
      return element
    }
  }

  /// The image of a name that a card gives; a name that escapes the directory names no image.
  func image(_ name: String?) -> ImageFile {
    ImageFile(name: name ?? "") { [documents] in
      guard let asset = name.flatMap(Asset.init(name:)) else { throw NoImage() }
      return try documents.asset(asset)
    }
  }

  private struct NoImage: Error {}

  @discardableResult
  private func attempt<Result>(_ body: () throws -> Result?) -> Result? {
    do {
      return try body()
    } catch {
      report(error)
      return nil
    }
  }

  private func report(_ error: any Error) {
    // The windows that show the card ask what to do.
    if (error as? DocumentError)?.code == .conflict { return }
    print(error)
    problem = Problem(error)
  }
}
