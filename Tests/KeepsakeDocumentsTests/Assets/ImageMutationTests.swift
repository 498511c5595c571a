import KeepsakeDocuments
import KeepsakeTestSupport
import Testing

@Suite("Damaged images") struct ImageMutationTests {
  @Test("have a size or none, for any bytes") func sizes() throws {
    let seeds = ImageSample.all.map(\.bytes)
    for bytes in Mutations(of: seeds, tokens: ["IHDR", "RIFF", "WEBP", "VP8X", "VP8L", "Exif"]) {
      if let size = Asset.ImageSize(of: bytes) { #expect(size.width > 0 && size.height > 0) }
    }
  }
}
