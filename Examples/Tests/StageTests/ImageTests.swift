import Testing

@testable import Stage

@Suite("Images are known by their bytes, and shown at secret addresses")
@MainActor
struct ImageTests {
  /// The beginnings of images of each kind.
  nonisolated static let beginnings: [Asset.ContentType: [UInt8]] = [
    .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13],
    .jpeg: [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46],
    .gif: Array("GIF89a\u{1}\u{0}\u{1}\u{0}".utf8),
    .webp: Array("RIFF\u{4}\u{0}\u{0}\u{0}WEBPVP8 ".utf8),
  ]

  @Test(
    "What a browser could run is no image",
    arguments: [
      "", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
      "<!doctype html><script>alert(1)</script>", "RIFF\u{4}\u{0}\u{0}\u{0}AVI ", " GIF89a",
      "\u{0}\u{0}\u{0}\u{18}ftypheic",
    ])
  func others(text: String) {
    let shelf = ImageShelf()
    #expect(shelf.image(at: shelf.path(of: ImageFile(name: "a") { Array(text.utf8) })) == nil)
  }

  @Test("An image has one address for a run, which only the app can know")
  func addresses() throws {
    let shelf = ImageShelf()
    let png = try #require(Self.beginnings[.png])
    let path = shelf.path(of: ImageFile(name: "a") { png })
    #expect(path == shelf.path(of: ImageFile(name: "a") { png }))
    #expect(path != shelf.path(of: ImageFile(name: "b") { png }))
    #expect(path != ImageShelf().path(of: ImageFile(name: "a") { png }))
    #expect(path.count == "/image/".count + 64)
    #expect(shelf.image(at: path)?.bytes == png)
    #expect(shelf.image(at: path)?.type == "image/png")
    #expect(shelf.image(at: "/image/a") == nil && shelf.image(at: "/image/") == nil)
  }

  @Test("A file that is no image, or cannot be read, has an address where nothing is")
  func unreadable() throws {
    struct Gone: Error {}
    let shelf = ImageShelf()
    #expect(shelf.image(at: shelf.path(of: ImageFile(name: "a") { throw Gone() })) == nil)
    let page = ImageFile(name: "b") { Array("<script>".utf8) }
    #expect(shelf.image(at: shelf.path(of: page)) == nil)
  }
}
