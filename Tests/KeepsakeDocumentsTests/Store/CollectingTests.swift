import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Collecting assets while others are at work") struct CollectingTests {
  let directory = Directory()

  private func text(naming asset: Asset?) -> String {
    #"{"id":"1","title":"\#(asset?.name ?? "")","elements":[]}"#
  }

  /// A store that did not add the assets itself.
  private func other(_ files: some FileSystem) throws -> DocumentStore<Card> {
    try DocumentStore(directory: Directory.path, pathExtension: "card", fileSystem: files)
  }

  @Test(
    "overlooks no file that moves",
    arguments: [
      ("x.card", "a.card", "m.card"), ("Trash/1/1.note", "1.note", "m.card"),
      ("Versions/1/3.card", "Versions/1/1.card", "Versions/1/2.card"),
    ])
  func moved(from old: String, to new: String, before read: String) throws {
    let asset = try directory.open().addAsset(image(1))
    try directory.write(text(naming: asset), to: old)
    try directory.write(text(naming: nil), to: read)
    let files = InterruptedDisk(directory.disk)
    let store = try other(files)
    files.beforeNext(.open, of: read) { [disk = directory.disk] in
      #expect(throws: Never.self) {
        try disk.rename(Directory.path.appending(old), to: Directory.path.appending(new))
      }
    }
    #expect(try store.collectOrphans().isEmpty)
    #expect(directory.text(new) != nil)
    #expect(try store.asset(asset) == image(1))
  }

  @Test("overlooks no asset that one document gives another") func given() throws {
    let asset = try directory.open().addAsset(image(1))
    try directory.write(text(naming: nil), to: "a.card")
    try directory.write(text(naming: asset), to: "b.card")
    let files = InterruptedDisk(directory.disk)
    let store = try other(files)
    files.beforeNext(.open, of: "b.card") {
      [directory, texts = [text(naming: asset), text(naming: nil)]] in
      #expect(throws: Never.self) {
        try directory.write(texts[0], to: "a.card")
        try directory.write(texts[1], to: "b.card")
      }
    }
    #expect(try store.collectOrphans().isEmpty)
    try directory.write(text(naming: nil), to: "a.card")
    #expect(try store.collectOrphans() == [asset])
  }

  @Test("is given up where a file changes all the time") func restless() throws {
    let asset = try directory.open().addAsset(image(1))
    try directory.write("0", to: "notes.txt")
    let files = InterruptedDisk(directory.disk)
    let store = try other(files)
    @Sendable func disturb(_ number: Int) {
      files.beforeNext(.open, of: "notes.txt") { [directory] in
        #expect(throws: Never.self) { try directory.write("\(number)", to: "notes.txt") }
        disturb(number + 1)
      }
    }
    disturb(1)
    let error = #expect(throws: DocumentError.self) { try store.collectOrphans() }
    #expect(error?.code == .unavailable)
    #expect(error?.description.contains("notes.txt") == true)
    #expect(directory.names == [asset.name, "notes.txt"].sorted())
  }

  @Test("knows what other stores of the process have not saved") func unsaved() throws {
    var configuration = DocumentConfiguration()
    configuration.clock = ManualClock()
    let editing = try directory.open(configuration)
    let asset = try editing.addAsset(image(1))
    let live = try editing.add(Card(id: "1"))
    live.edit { $0.elements = [Card.Element(id: 1, text: "", image: asset)] }
    let store = try other(directory.disk)
    #expect(try store.collectOrphans().isEmpty)

    try live.save()
    #expect(try store.collectOrphans().isEmpty)
    #expect(try store.asset(asset) == image(1))
  }

  @Test("is not done while an unsaved document cannot be encoded, which may name anything")
  func unencodable() throws {
    var configuration = DocumentConfiguration()
    configuration.clock = ManualClock()
    // Not where other tests collect.
    let path: FilePath = "/app/Unencodable"
    func open() throws -> DocumentStore<Card> {
      try DocumentStore(
        directory: path, pathExtension: "card", configuration: configuration,
        fileSystem: directory.disk)
    }
    let editing = try open()
    let asset = try editing.addAsset(image(1))
    let live = try editing.add(Card(id: "1"))
    live.edit { $0.colour = [.nan] }
    for store in [editing, try open()] {
      let error = #expect(throws: DocumentError.self) {
        try store.collectOrphans(olderThan: .zero)
      }
      #expect(error?.code == .unencodable)
    }
    #expect(try editing.asset(asset) == image(1))
    live.edit { $0.colour = nil }
    #expect(try open().collectOrphans() == [asset])
    try live.save()
  }

  @Test("never takes a document for an asset") func documents() throws {
    let note = Asset.ContentType(pathExtension: "note", mimeType: "text/plain", signatures: [[]])
    var configuration = DocumentConfiguration()
    configuration.assetLimits.types.append(note)
    let own = #expect(throws: DocumentError.self) {
      try DocumentStore<Card>(
        directory: Directory.path, pathExtension: "note", configuration: configuration,
        fileSystem: directory.disk)
    }
    #expect(own?.code == .invalidAsset)

    let id = "5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11"
    let store = try directory.open(configuration)
    try store.save(Card(id: "1", title: "see \(id).note"))
    let notes = try DocumentStore<Card>(
      directory: Directory.path, pathExtension: "note", fileSystem: directory.disk)
    try notes.save(Card(id: id))
    let before = directory.names
    let error = #expect(throws: DocumentError.self) { try store.collectOrphans() }
    #expect(error?.code == .invalidAsset)
    #expect(directory.names == before)
  }
}
