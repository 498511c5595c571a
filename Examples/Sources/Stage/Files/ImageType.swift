/// The kinds of images that Stage takes and gives, known by their first bytes.
///
/// A drawing (SVG) is none of them: it is a document, which can hold a program.
enum ImageType: String {
  case png, jpeg, gif, webp

  /// The kind of an image's bytes; nil for all other bytes, whatever they are called.
  init?(_ bytes: some Collection<UInt8>) {
    func begins(_ text: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text)
    }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
      self = .gif
    } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
      self = .webp
    } else {
      return nil
    }
  }

  var contentType: String { "image/" + rawValue }
}
