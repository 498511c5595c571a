import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage

/// The life of some documents, written down as it goes, so that what a cut leaves can be held
/// against it.
struct DocumentLife {
  /// What is true of all documents.
  struct World {
    var cards: [String: Card] = [:]
    var trash: [String: Card] = [:]
  }

  struct Broken: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  static let ids = ["1", "2", "3"]

  /// What is true after each mark.
  private(set) var history = [World()]
  /// The content of each asset.
  private(set) var images: [Asset: [UInt8]] = [:]
  private var removed: [String: RemovedDocument<String>] = [:]
  private var random: SeededRandom
  private var step = 0
  /// How many disks were held against it.
  var checks = 0
  private let schema: DocumentSchema?

  init(seed: UInt64, schema: DocumentSchema? = nil) {
    random = SeededRandom(seed: seed)
    self.schema = schema
  }

  func open(_ files: any FileSystem) throws -> DocumentStore<Card> {
    var configuration = DocumentConfiguration()
    configuration.schema = schema
    configuration.versionsKept = 2
    func open(_ files: some FileSystem) throws -> DocumentStore<Card> {
      try DocumentStore(
        directory: Directory.path, pathExtension: "card", configuration: configuration,
        fileSystem: files
      ) { _ in }
    }
    return try open(files)
  }

  /// Writes down that something was done.
  private mutating func did(_ disk: SimulatedDisk, _ what: String, _ world: World) {
    history.append(world)
    disk.mark("\(history.count - 1): \(what)")
  }

  /// Begins with documents that were there before.
  mutating func begin(with cards: [Card]) {
    history[0].cards = Dictionary(uniqueKeysWithValues: cards.map { ($0.id, $0) })
  }

  // MARK: What can be done

  private mutating func newImage(_ store: DocumentStore<Card>) throws -> Asset {
    let bytes = image(UInt8(truncatingIfNeeded: images.count), count: 700)
    let asset = try store.addAsset(bytes)
    images[asset] = bytes
    return asset
  }

  private mutating func text() -> String {
    step += 1
    return "\(step): " + String(repeating: "x", count: .random(in: 0..<600, using: &random))
  }

  mutating func save(_ id: String, _ store: DocumentStore<Card>, _ disk: SimulatedDisk) throws {
    var world = history.last!
    var card = world.cards[id] ?? Card(id: id)
    card.title = text()
    world.cards[id] = card
    try attempt(world, disk, "saved \(id)") { try store.save(card) }
  }

  mutating func addImage(
    _ id: String, count: Int = 1, _ store: DocumentStore<Card>, _ disk: SimulatedDisk
  ) throws {
    var world = history.last!
    var card = world.cards[id] ?? Card(id: id)
    for _ in 0..<count {
      let asset = try newImage(store)
      card.elements.append(Card.Element(id: images.count, text: "", image: asset))
    }
    world.cards[id] = card
    try attempt(world, disk, "added \(count) images to \(id)") { try store.save(card) }
  }

  mutating func replaceImage(
    _ id: String, _ store: DocumentStore<Card>, _ disk: SimulatedDisk
  ) throws {
    var world = history.last!
    guard var card = world.cards[id], !card.elements.isEmpty else {
      return try addImage(id, store, disk)
    }
    card.elements[0].image = try newImage(store)
    world.cards[id] = card
    try attempt(world, disk, "replaced the image of \(id)") { try store.save(card) }
  }

  mutating func saveAll(
    count: Int = 3, _ store: DocumentStore<Card>, _ disk: SimulatedDisk
  ) throws {
    var world = history.last!
    var cards: [Card] = []
    for id in Self.ids.prefix(count) {
      var card = world.cards[id] ?? Card(id: id)
      card.title = text()
      world.cards[id] = card
      cards.append(card)
    }
    try attempt(world, disk, "saved all") { try store.save(cards) }
  }

  mutating func remove(_ id: String, _ store: DocumentStore<Card>, _ disk: SimulatedDisk) throws {
    var world = history.last!
    guard let card = world.cards.removeValue(forKey: id) else {
      return try restore(id, store, disk)
    }
    world.trash[id] = card
    var result: RemovedDocument<String>?
    try attempt(world, disk, "removed \(id)") { result = try store.remove(id) }
    removed[id] = result
  }

  mutating func restore(_ id: String, _ store: DocumentStore<Card>, _ disk: SimulatedDisk) throws {
    var world = history.last!
    guard world.cards[id] == nil, let old = removed[id], let card = world.trash[id] else {
      return try save(id, store, disk)
    }
    world.trash[id] = nil
    world.cards[id] = card
    try attempt(world, disk, "restored \(id)") { try store.restore(old) }
  }

  mutating func emptyTrash(_ store: DocumentStore<Card>, _ disk: SimulatedDisk) throws {
    var world = history.last!
    world.trash = [:]
    try attempt(world, disk, "emptied the trash") { try store.emptyTrash() }
  }

  mutating func collect(_ store: DocumentStore<Card>, _ disk: SimulatedDisk) throws {
    try attempt(history.last!, disk, "collected") { _ = try store.collectOrphans(olderThan: .zero) }
  }

  /// What a refused change left, for each document one of the two.
  private(set) var doubts: [String: [Card?]] = [:]
  /// Whether a change that is refused is only left out.
  var isGoingOn = false

  private mutating func attempt(
    _ world: World, _ disk: SimulatedDisk, _ what: String, _ change: () throws -> Void
  ) throws {
    do {
      try change()
      for id in Self.ids where world.cards[id] != history.last!.cards[id] { doubts[id] = nil }
      did(disk, what, world)
    } catch {
      guard isGoingOn else { throw error }
      // It is as it was or as it was to be, and a power cut may decide otherwise.
      let old = history.last!
      var found = world
      let store = try open(disk)
      let trash = try store.removed().map(\.id)
      for id in Self.ids {
        let card = try store.ids().contains(id) ? store.load(id) : nil
        guard card == old.cards[id] || card == world.cards[id] else {
          throw Broken("\(what) left \(String(describing: card)) after \(error)")
        }
        if old.cards[id] != world.cards[id] {
          doubts[id, default: []] += [old.cards[id], world.cards[id]]
        }
        found.cards[id] = card
        found.trash[id] =
          card == nil && trash.contains(id) ? world.trash[id] ?? old.trash[id] : nil
      }
      did(disk, "refused: \(what)", found)
    }
  }

  /// A life that the seed decides.
  mutating func live(_ files: any FileSystem, _ disk: SimulatedDisk, steps: Int) throws {
    var store = try open(files)
    for _ in 0..<steps {
      let id = Self.ids.randomElement(using: &random)!
      do {
        switch Int.random(in: 0..<17, using: &random) {
        case 0..<4: try save(id, store, disk)
        case 4..<6: try addImage(id, store, disk)
        case 6: try addImage(id, count: 3, store, disk)
        case 7..<9: try replaceImage(id, store, disk)
        case 9..<11: try saveAll(store, disk)
        case 11..<13: try remove(id, store, disk)
        case 13: try restore(id, store, disk)
        case 14: try collect(store, disk)
        case 15:
          try emptyTrash(store, disk)
          try collect(store, disk)
        default: store = try open(files)
        }
        // What this process did not do itself it has to see first.
        for id in try store.ids() { _ = try store.load(id) }
      } catch  where isGoingOn && !(error is Broken) {
        // The call that failed changed nothing.
      }
    }
  }
}
