import KeepsakeDocuments
import Testing

/// The beginning of an image of one type.
struct ImageSample: CustomTestStringConvertible, Sendable {
  var type: Asset.ContentType
  var size: Asset.ImageSize?
  var bytes: [UInt8]
  var testDescription: String { "\(type.pathExtension), \(bytes.count) bytes" }

  /// A PNG's beginning.
  static func png(width: Int, height: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + big(width) + big(height) + [8, 6, 0, 0, 0]
  }

  private static func big(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
  }

  private static func riff(_ chunk: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [100, 0, 0, 0] + Array("WEBP".utf8) + chunk
  }

  static let all: [ImageSample] = [
    ImageSample(
      type: .png, size: Asset.ImageSize(width: 70_000, height: 3),
      bytes: png(width: 70_000, height: 3)),
    ImageSample(
      type: .gif, size: Asset.ImageSize(width: 258, height: 3),
      bytes: Array("GIF89a".utf8) + [2, 1, 3, 0, 0x80, 0, 0]),
    // After a segment of the camera's, tables, and fill bytes; progressive.
    ImageSample(
      type: .jpeg, size: Asset.ImageSize(width: 640, height: 480),
      bytes: [0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 0xFF, 0xC0, 1, 2, 0xFF, 0xC4, 0, 4, 9, 9]
        + [0xFF, 0xFF, 0xFF, 0xC2, 0, 17, 8, 0x01, 0xE0, 0x02, 0x80, 3]),
    ImageSample(
      type: .webp, size: Asset.ImageSize(width: 550, height: 368),
      bytes: riff(
        Array("VP8 ".utf8) + [90, 0, 0, 0, 0x30, 1, 0, 0x9D, 1, 0x2A, 0x26, 0x42, 0x70, 0x01, 0])),
    // 386 × 395, from 14 bits each, less one.
    ImageSample(
      type: .webp, size: Asset.ImageSize(width: 386, height: 395),
      bytes: riff(Array("VP8L".utf8) + [90, 0, 0, 0, 0x2F, 0x81, 0x81, 0x62, 0x10, 0])),
    ImageSample(
      type: .webp, size: Asset.ImageSize(width: 4096, height: 65_537),
      bytes: riff(Array("VP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x0F, 0, 0, 0, 1])),
    ImageSample(
      type: .heic, size: nil, bytes: [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0]),
    ImageSample(
      type: .avif, size: nil, bytes: [0, 0, 0, 28] + Array("ftypavif".utf8) + [0, 0, 0, 0]),
  ]
}
