import Testing

@testable import KeepsakeDocuments

@Suite("A limit of assets") struct AssetLimitsTests {
  private let png = ImageSample.png(width: 300, height: 20)

  @Test("lets through what is within it") func within() throws {
    let limits = AssetLimits(byteCount: png.count, side: 300)
    #expect(try limits.accept(png).type == .png)
    #expect(try limits.accept(png, as: .png).bytes == png)
  }

  @Test("refuses too many bytes, unknown content, and content under another name")
  func refusals() {
    #expect(throws: AssetError.tooManyBytes(png.count, limit: 10)) {
      try AssetLimits(byteCount: 10).accept(png)
    }
    #expect(throws: AssetError.unknownContent) { try AssetLimits().accept(Array("<svg/>".utf8)) }
    #expect(throws: AssetError.unknownContent) { try AssetLimits().accept([], as: .png) }
    #expect(throws: AssetError.otherContent(than: .jpeg, found: .png)) {
      try AssetLimits().accept(png, as: .jpeg)
    }
    #expect(throws: AssetError.unknownContent) { try AssetLimits(types: [.jpeg]).accept(png) }
    #expect(AssetError.tooManyBytes(9, limit: 3).description.contains("9 bytes"))
  }

  @Test("has images scaled by the app that are too large") func scaling() throws {
    #expect(throws: AssetError.tooManyPixels(ImageSize(width: 300, height: 20), limit: 299)) {
      try AssetLimits(side: 299).accept(png)
    }
    let small = ImageSample.png(width: 100, height: 7)
    let scaled = try AssetLimits(side: 100) { bytes, type, limit in
      #expect(bytes == png && type == .png && limit == 100)
      return small
    }.accept(png)
    #expect(scaled.bytes == small)
    #expect(throws: AssetError.tooManyPixels(ImageSize(width: 300, height: 20), limit: 100)) {
      try AssetLimits(side: 100) { bytes, _, _ in bytes }.accept(png)
    }
    #expect(throws: AssetError.unknownContent) {
      try AssetLimits(side: 100) { _, _, _ in [1] }.accept(png)
    }
    struct NoMemory: Error {}
    let reason = AssetError.notScaled(ImageSize(width: 300, height: 20), reason: "NoMemory()")
    #expect(throws: reason) {
      try AssetLimits(side: 100) { _, _, _ in throw NoMemory() }.accept(png)
    }
  }
}
