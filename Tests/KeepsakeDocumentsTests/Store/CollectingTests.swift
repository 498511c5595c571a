import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Collecting assets while others are at work") struct CollectingTests {
  let folder = Folder()

  private func text(naming asset: Asset?) -> String {
    #"{"id":"1","title":"\#(asset?.name ?? "")","elements":[]}"#
  }

  /// A store that did not add the assets itself.
  private func other(_ files: some FileSystem) throws -> DocumentStore<Card> {
    try DocumentStore(folder: Folder.path, pathExtension: "card", in: files)
  }

  @Test(
    "overlooks no file that moves",
    arguments: [
      ("x.card", "a.card", "m.card"), ("Trash/1/1.note", "1.note", "m.card"),
      ("Versions/1/3.card", "Versions/1/1.card", "Versions/1/2.card"),
    ])
  func moved(from old: String, to new: String, before read: String) throws {
    let asset = try folder.open().addAsset(image(1))
    try folder.write(text(naming: asset), to: old)
    try folder.write(text(naming: nil), to: read)
    let files = InterruptedDisk(folder.disk)
    let store = try other(files)
    files.beforeNext(.open, of: read) { [disk = folder.disk] in
      #expect(throws: Never.self) {
        try disk.rename(Folder.path.appending(old), to: Folder.path.appending(new))
      }
    }
    #expect(try store.collectOrphans().isEmpty)
    #expect(folder.text(new) != nil)
    #expect(try store.asset(asset) == image(1))
  }

  @Test("overlooks no asset that one document gives another") func given() throws {
    let asset = try folder.open().addAsset(image(1))
    try folder.write(text(naming: nil), to: "a.card")
    try folder.write(text(naming: asset), to: "b.card")
    let files = InterruptedDisk(folder.disk)
    let store = try other(files)
    files.beforeNext(.open, of: "b.card") {
      [folder, texts = [text(naming: asset), text(naming: nil)]] in
      #expect(throws: Never.self) {
        try folder.write(texts[0], to: "a.card")
        try folder.write(texts[1], to: "b.card")
      }
    }
    #expect(try store.collectOrphans().isEmpty)
    try folder.write(text(naming: nil), to: "a.card")
    #expect(try store.collectOrphans() == [asset])
  }

  @Test("is given up where a file changes all the time") func restless() throws {
    let asset = try folder.open().addAsset(image(1))
    try folder.write("0", to: "notes.txt")
    let files = InterruptedDisk(folder.disk)
    let store = try other(files)
    @Sendable func disturb(_ number: Int) {
      files.beforeNext(.open, of: "notes.txt") { [folder] in
        #expect(throws: Never.self) { try folder.write("\(number)", to: "notes.txt") }
        disturb(number + 1)
      }
    }
    disturb(1)
    let error = #expect(throws: DocumentError.self) { try store.collectOrphans() }
    #expect(error?.code == .unavailable)
    #expect(error?.description.contains("notes.txt") == true)
    #expect(folder.names == [asset.name, "notes.txt"].sorted())
  }

  @Test("knows what other stores of the process have not saved") func unsaved() throws {
    var configuration = DocumentConfiguration()
    configuration.clock = ManualClock()
    let editing = try folder.open(configuration)
    let asset = try editing.addAsset(image(1))
    let live = try editing.add(Card(id: "1"))
    live.edit { $0.elements = [Card.Element(id: 1, text: "", image: asset)] }
    let store = try other(folder.disk)
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
        folder: path, pathExtension: "card", configuration: configuration, in: folder.disk)
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
    let note = AssetType(pathExtension: "note", mimeType: "text/plain", signatures: [[]])
    var configuration = DocumentConfiguration()
    configuration.assetLimits.types.append(note)
    let own = #expect(throws: DocumentError.self) {
      try DocumentStore<Card>(
        folder: Folder.path, pathExtension: "note", configuration: configuration,
        in: folder.disk)
    }
    #expect(own?.code == .invalidAsset)

    let id = "5E0D8E8B-3C38-4CB0-9CB6-0A0F0D5E6C11"
    let store = try folder.open(configuration)
    try store.save(Card(id: "1", title: "see \(id).note"))
    let notes = try DocumentStore<Card>(
      folder: Folder.path, pathExtension: "note", in: folder.disk)
    try notes.save(Card(id: id))
    let before = folder.names
    for attempt in [
      { () throws in _ = try store.collectOrphans() }, { _ = try store.remove("1") },
      { _ = try store.emptyTrash() },
    ] {
      let error = #expect(throws: DocumentError.self) { try attempt() }
      #expect(error?.code == .invalidAsset)
    }
    #expect(folder.names == before)
  }
}
