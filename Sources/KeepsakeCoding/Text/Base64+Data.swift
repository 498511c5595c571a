#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Base64 {
  /// The first byte of a text that is not base64.
  struct InvalidByte: Error {
    var offset: Int

    static let message = "not valid base64"
  }

  /// The bytes that a text stands for.
  ///
  /// - Parameter allowsWhitespace: Whether whitespace may stand anywhere in it.
  static func data(
    _ text: UnsafeBufferPointer<UInt8>, allowsWhitespace: Bool
  ) throws(InvalidByte) -> Data {
    // Three bytes for every four, which are neither filled with zeros first nor copied afterwards.
    let output = UnsafeMutableRawBufferPointer.allocate(
      byteCount: text.count / 4 * 3 + 6, alignment: 1)
    let result = decode(text, allowsWhitespace: allowsWhitespace, into: output)
    guard result.invalid == nil, result.length > 0, let start = output.baseAddress else {
      output.deallocate()
      if let offset = result.invalid { throw InvalidByte(offset: offset) }
      return Data()
    }
    return Data(
      bytesNoCopy: start, count: result.length,
      deallocator: .custom { start, _ in start.deallocate() })
  }
}
