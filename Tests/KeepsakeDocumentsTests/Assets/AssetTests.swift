import Foundation
import KeepsakeCoding
import Testing

@testable import KeepsakeDocuments

@Suite("An asset") struct AssetTests {
  @Test("is the plain name of its file in a document") func coding() throws {
    let name = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F.png"
    let asset = try JSON.Decoder().decode([Asset].self, from: Data("[\"\(name)\"]".utf8))[0]
    #expect(asset.name == name)
    #expect(asset.pathExtension == "png")
    #expect(try JSON.Encoder().encode([asset]) == Data("[\"\(name)\"]".utf8))
    #expect(Asset(name: "sunset 1 – é.JPG")?.pathExtension == "jpg")
  }

  @Test(
    "P10: has no name that escapes its directory",
    arguments: [
      "", ".", "..", "../a.png", "/etc/passwd", "a/b.png", "a\\b.png", ".hidden", "a%2Fb.png",
      "C:a.png", "a\u{0}.png", "a\n.png", "\u{7F}",
      String(repeating: "a", count: 256),
    ])
  func escape(_ name: String) throws {
    #expect(Asset(name: name) == nil)
    let text = try JSON.Encoder().encode([name])
    let error = #expect(throws: DecodingError.self) {
      try JSON.Decoder().decode([Asset].self, from: text)
    }
    guard case .dataCorrupted(let context)? = error else { return #expect(Bool(false)) }
    #expect(context.codingPath.first?.intValue == 0)
  }

  @Test("is the store's own only by a UUID and the extension of a type") func ownNames() {
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    func isOwn(_ name: String) -> Bool {
      Asset(name: name)!.isNamedByStore(types: Asset.ContentType.images)
    }
    for type in Asset.ContentType.images {
      let asset = Asset(type)
      #expect(asset.isNamedByStore(types: Asset.ContentType.images))
      #expect(asset != Asset(type))
    }
    #expect(isOwn("\(uuid).png"))
    // A document may be named by a UUID too.
    for name in [
      "\(uuid).rwcard", uuid, "\(uuid).png.bak", "\(uuid.lowercased()).png", "x\(uuid).png",
      "photo.png", "\(uuid).PNG", "\(uuid)..png",
    ] { #expect(!isOwn(name), "\(name)") }
  }

  @Test("is found wherever a document names it") func names() throws {
    let assets = (0..<5).map { _ in Asset(.png) } + [Asset(.jpeg)]
    let text = """
      {"image": "\(assets[0])", "later": [{"deep": ["see \(assets[1]), or /a/\(assets[2])?x"]}],
      "\(assets[3])": 1, "small": "\(assets[4].name.lowercased())", "last": "\(assets[5])",
      "none": ["\(UUID()).txt", "\(UUID())", "\(UUID()).", "not.png", "x.png"]}
      """
    let value = try JSON.Value(parsing: text)
    #expect(AssetNames.all(in: value, types: Asset.ContentType.images) == Set(assets))
    #expect(
      AssetNames.all(inText: Array(text.utf8), types: Asset.ContentType.images) == Set(assets))
    #expect(AssetNames.all(in: value, types: [.jpeg]) == [assets[5]])
  }

  @Test("is found among others of any type as it is among its own, also where letters follow it")
  func anyType() {
    let (asset, other) = (Asset(.png), "\(UUID()).txt")
    let text = Array("\(asset)x \(other)".utf8)
    let found = AssetNames.all(inText: text, types: [.png], orAnyType: true).map(\.name)
    #expect(Set(found) == [asset.name, "\(asset)x", other])
  }

  @Test("is found in text that is no JSON, and behind escapes") func damagedText() {
    let asset = Asset(.webp)
    let types = Asset.ContentType.images
    for text in ["\(asset)", "{\"image\": \"\(asset)", "\u{0}\\\(asset)\\\\u0041"] {
      #expect(AssetNames.all(inText: Array(text.utf8), types: types) == [asset])
    }
    let escaped = asset.name.unicodeScalars.map {
      "\\u00" + String($0.value, radix: 16)
    }.joined()
    let text = Array("{\"image\": \"\(escaped)\", \"\\u00".utf8)
    #expect(AssetNames.all(inText: text, types: types) == [asset])
    for end in text.indices {
      #expect(AssetNames.all(inText: Array(text[..<end]), types: types).isSubset(of: [asset]))
    }
  }
}
