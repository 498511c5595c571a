extension Asset {
  /// The size of an image in pixels according to its header; the image is not decoded.
  public struct ImageSize: Hashable, Sendable {
    /// The width as stored; an orientation in Exif data is ignored.
    public var width: Int
    /// The height as stored.
    public var height: Int

    /// A size in pixels.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    /// The size of a PNG, JPEG, GIF or WebP image.
    ///
    /// - Returns: `nil` for other content, and if the header is damaged or the size is 0.
    /// - Complexity: O(1); O(*n*) in the bytes before the frame of a JPEG.
    public init?(of bytes: [UInt8]) {
      let header = Header(bytes: bytes)
      let size: Asset.ImageSize? =
        switch Asset.ContentType.of(bytes.prefix(16), among: [.png, .jpeg, .gif, .webp]) {
        case .png?: header.png
        case .jpeg?: header.jpeg
        case .gif?: header.gif
        case .webp?: header.webp
        default: nil
        }
      guard let size, size.width > 0, size.height > 0 else { return nil }
      self = size
    }
  }
}

/// The beginning of an image, of which any part may be missing.
private struct Header {
  let bytes: [UInt8]

  private func big(_ offset: Int, _ count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func little(_ offset: Int, _ count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func has(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { bytes.dropFirst(offset).starts(with: $0) }
  }

  /// The first chunk is the header (PNG, 11.2.1).
  var png: Asset.ImageSize? {
    guard has("IHDR", at: 12), let width = big(16, 4), let height = big(20, 4) else { return nil }
    return Asset.ImageSize(width: width, height: height)
  }

  var gif: Asset.ImageSize? {
    guard let width = little(6, 2), let height = little(8, 2) else { return nil }
    return Asset.ImageSize(width: width, height: height)
  }

  /// The first start of a frame, after segments of any other kind (ITU T.81, B.1.1).
  var jpeg: Asset.ImageSize? {
    var offset = 2
    while let byte = big(offset, 1), byte == 0xFF, let marker = big(offset + 1, 1) {
      switch marker {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      case 0xC4, 0xC8, 0xCC: offset += 2 + (big(offset + 2, 2) ?? 0)
      case 0xC0...0xCF:
        guard let height = big(offset + 5, 2), let width = big(offset + 7, 2) else { return nil }
        return Asset.ImageSize(width: width, height: height)
      // The picture itself, or its end.
      case 0x00, 0xD9, 0xDA: return nil
      default: offset += 2 + (big(offset + 2, 2) ?? 0)
      }
    }
    return nil
  }

  /// One of the three kinds of first chunk (RFC 9649, section 2).
  var webp: Asset.ImageSize? {
    if has("VP8 ", at: 12), has("\u{1}*", at: 24), big(23, 1) == 0x9D,
      let width = little(26, 2), let height = little(28, 2)
    {
      return Asset.ImageSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }
    if has("VP8L", at: 12), big(20, 1) == 0x2F, let bits = little(21, 4) {
      return Asset.ImageSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    if has("VP8X", at: 12), let width = little(24, 3), let height = little(27, 3) {
      return Asset.ImageSize(width: width + 1, height: height + 1)
    }
    return nil
  }
}
