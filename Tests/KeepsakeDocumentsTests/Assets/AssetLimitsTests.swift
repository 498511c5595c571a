import Testing

@testable import KeepsakeDocuments

@Suite("A limit of assets") struct AssetLimitsTests {
  private let png = ImageSample.png(width: 300, height: 20)

  @Test("lets through what is within it") func within() throws {
    let limits = Asset.Limits(byteCount: png.count, side: 300)
    #expect(try limits.accept(png).type == .png)
    #expect(try limits.accept(png, as: .png).bytes == png)
  }

  @Test("refuses too many bytes, unknown content, and content under another name")
  func refusals() {
    #expect(throws: Asset.ContentError.tooManyBytes(png.count, limit: 10)) {
      try Asset.Limits(byteCount: 10).accept(png)
    }
    #expect(throws: Asset.ContentError.unknownContent) {
      try Asset.Limits().accept(Array("<svg/>".utf8))
    }
    #expect(throws: Asset.ContentError.unknownContent) { try Asset.Limits().accept([], as: .png) }
    #expect(throws: Asset.ContentError.otherContent(than: .jpeg, found: .png)) {
      try Asset.Limits().accept(png, as: .jpeg)
    }
    #expect(throws: Asset.ContentError.unknownContent) {
      try Asset.Limits(types: [.jpeg]).accept(png)
    }
    #expect(Asset.ContentError.tooManyBytes(9, limit: 3).description.contains("9 bytes"))
  }

  @Test("has images scaled by the app that are too large") func scaling() throws {
    #expect(
      throws: Asset.ContentError.tooManyPixels(Asset.ImageSize(width: 300, height: 20), limit: 299)
    ) {
      try Asset.Limits(side: 299).accept(png)
    }
    let small = ImageSample.png(width: 100, height: 7)
    let scaled = try Asset.Limits(side: 100) { bytes, type, limit in
      #expect(bytes == png && type == .png && limit == 100)
      return small
    }.accept(png)
    #expect(scaled.bytes == small)
    #expect(
      throws: Asset.ContentError.tooManyPixels(Asset.ImageSize(width: 300, height: 20), limit: 100)
    ) {
      try Asset.Limits(side: 100) { bytes, _, _ in bytes }.accept(png)
    }
    #expect(throws: Asset.ContentError.unknownContent) {
      try Asset.Limits(side: 100) { _, _, _ in [1] }.accept(png)
    }
    struct NoMemory: Error {}
    let reason = Asset.ContentError.notScaled(
      Asset.ImageSize(width: 300, height: 20), reason: "NoMemory()")
    #expect(throws: reason) {
      try Asset.Limits(side: 100) { _, _, _ in throw NoMemory() }.accept(png)
    }
  }
}
