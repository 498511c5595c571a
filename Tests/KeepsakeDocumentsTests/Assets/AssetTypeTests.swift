import KeepsakeBase
import KeepsakeTestSupport
import Testing

@testable import KeepsakeDocuments

extension Asset.ContentType {
  fileprivate static let pdf = Asset.ContentType(
    pathExtension: "pdf", mimeType: "application/pdf", signatures: [Array("%PDF-".utf8)])
}

@Suite("What an asset is") struct AssetTypeTests {
  @Test("is recognized by its first bytes, not by its name", arguments: ImageSample.all)
  func sniffing(_ sample: ImageSample) {
    #expect(Asset.ContentType.of(sample.bytes) == sample.type)
    #expect(Asset.ContentType.of(sample.bytes.prefix(3)) == (sample.type == .jpeg ? .jpeg : nil))
    #expect(Asset.ContentType.of([0] + sample.bytes) == nil)
  }

  @Test("is no SVG, no text and not nothing") func others() {
    for text in ["", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "{}", "RIFF1234WAVE", "GIF88a"]
    {
      #expect(Asset.ContentType.of(Array(text.utf8)) == nil)
    }
  }

  @Test("can be a type of the app's own") func ownType() throws {
    let types = Asset.ContentType.images + [.pdf]
    #expect(Asset.ContentType.of(Array("%PDF-1.7".utf8)) == nil)
    #expect(Asset.ContentType.of(Array("%PDF-1.7".utf8), among: types) == .pdf)
    #expect(Asset(.pdf).isNamedByStore(types: types))
    let limits = Asset.Limits(types: types)
    #expect(try limits.accept(Array("%PDF-1.7".utf8)).type == .pdf)
  }

  @Test("has a media type and an extension") func names() {
    #expect(Asset.ContentType.named(mimeType: "Image/PNG; q=1") == .png)
    #expect(Asset.ContentType.named(mimeType: "image/svg+xml") == nil)
    #expect(Asset.ContentType.named(pathExtension: "JPG") == .jpeg)
    #expect(Asset.ContentType.named(pathExtension: "avif") == .avif)
    for type in Asset.ContentType.images {
      #expect(Asset.ContentType.named(mimeType: type.mimeType) == type)
      #expect(Asset.ContentType.named(pathExtension: type.pathExtension) == type)
    }
  }

  @Test("has the size that its header says", arguments: ImageSample.all)
  func sizes(_ sample: ImageSample) {
    #expect(Asset.ImageSize(of: sample.bytes) == sample.size)
  }

  @Test(
    "has no size where the header is cut or damaged, and is no danger", arguments: ImageSample.all)
  func damagedHeaders(_ sample: ImageSample) {
    for end in sample.bytes.indices {
      let size = Asset.ImageSize(of: Array(sample.bytes[..<end]))
      #expect(size == nil || size == sample.size)
    }
    var random = SeededRandom(seed: 7)
    for _ in 0..<500 {
      var bytes = sample.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if let size = Asset.ImageSize(of: bytes) { #expect(size.width > 0 && size.height > 0) }
    }
  }
}
