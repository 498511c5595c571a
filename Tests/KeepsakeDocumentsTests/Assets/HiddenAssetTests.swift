import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document that encodes a part of it to data.
private struct Album: Codable, Equatable, Identifiable {
  var id: String
  var cover: Asset?
  var pictures: [Asset] = []

  private enum Key: CodingKey { case id, cover, pictures }

  init(id: String, cover: Asset? = nil, pictures: [Asset] = []) {
    (self.id, self.cover, self.pictures) = (id, cover, pictures)
  }

  init(from decoder: any Decoder) throws {
    let album = try decoder.container(keyedBy: Key.self)
    id = try album.decode(String.self, forKey: .id)
    cover = try album.decodeIfPresent(Asset.self, forKey: .cover)
    pictures = try JSON.Decoder().decode(
      [Asset].self, from: album.decode(Data.self, forKey: .pictures))
  }

  func encode(to encoder: any Encoder) throws {
    var album = encoder.container(keyedBy: Key.self)
    try album.encode(id, forKey: .id)
    try album.encodeIfPresent(cover, forKey: .cover)
    try album.encode(JSON.Encoder().encode(pictures), forKey: .pictures)
  }
}

@Suite("An asset whose name is not in the text of its document") struct HiddenAssetTests {
  let directory = Directory()

  @Test("is refused when the document is saved, unless the name is there too", arguments: [nil, 1])
  func data(_ version: Int?) throws {
    var configuration = DocumentConfiguration()
    configuration.schema = version.map { DocumentSchema(version: $0) }
    let store = try DocumentStore<Album>(
      directory: Directory.path, pathExtension: "album", configuration: configuration,
      fileSystem: directory.disk)
    let asset = try store.addAsset(image(1))
    try store.save(Album(id: "1", cover: asset))
    let text = directory.text("1.album")

    let error = #expect(throws: DocumentError.self) {
      try store.save(Album(id: "1", pictures: [asset]))
    }
    #expect(error?.code == .unencodable)
    #expect(error.map { "\($0)".contains(asset.name) } == true)
    #expect(directory.text("1.album") == text)

    let whole = Album(id: "1", cover: asset, pictures: [asset])
    try store.save(whole)
    #expect(try store.load("1") == whole)
    // What the store did not name it does not look after.
    let foreign = try #require(Asset(name: "sunset.jpg"))
    try store.save(Album(id: "2", pictures: [foreign]))
  }
}
