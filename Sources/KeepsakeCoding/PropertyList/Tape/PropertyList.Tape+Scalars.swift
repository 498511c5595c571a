#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.Tape {
  /// The text of a string.
  @inline(__always)
  func text(of entry: Entry) -> String {
    let text = UnsafeBufferPointer(start: bytes(of: entry), count: entry.length)
    return String(knownUTF8: text, isASCII: entry.head & Entry.isASCII != 0)
  }

  /// The text of a string, which is made once where a binary file names it many times.
  ///
  /// Otherwise a few bytes a time could stand for a long text each, and the whole for more than
  /// there is memory.
  @inline(__always)
  mutating func sharedText(of entry: Entry) -> String {
    if entry.length < 256 || format != .binary { return text(of: entry) }
    return longText(of: entry)
  }

  @inline(never)
  private mutating func longText(of entry: Entry) -> String {
    // No two strings start at one place, in the file or in the heap.
    let key = entry.offset * 2 + (entry.head & Entry.isInHeap != 0 ? 1 : 0)
    if let text = withLongValues({ $0.texts[key] }), text.utf8.count == entry.length {
      return text
    }
    let text = text(of: entry)
    withLongValues { $0.texts[key] = text }
    return text
  }

  /// The bytes of data, which are copied once where a binary file names them many times.
  mutating func sharedData(of entry: Entry) throws(PropertyList.Fault) -> Data {
    if entry.length < 256 || format != .binary { return try data(of: entry) }
    if let data = withLongValues({ $0.data[entry.offset] }), data.count == entry.length {
      return data
    }
    let data = try data(of: entry)
    withLongValues { $0.data[entry.offset] = data }
    return data
  }

  /// The bytes of data.
  private func data(of entry: Entry) throws(PropertyList.Fault) -> Data {
    let start = bytes(of: entry)
    guard format == .xml, entry.head & Entry.isInHeap == 0 else {
      return Data(bytes: start, count: entry.length)
    }
    var data = Data(count: entry.length / 4 * 3 + 3)
    let text = UnsafeBufferPointer(start: start, count: entry.length)
    let (length, invalid) = data.withUnsafeMutableBytes { Base64.decode(text, into: $0) }
    if let invalid {
      throw PropertyList.Fault(
        offset: entry.offset + invalid, path: [], message: "not valid base64")
    }
    data.count = length
    return data
  }
}

extension String {
  /// Text whose bytes have been found to be UTF-8.
  @inline(__always)
  init(knownUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    #if canImport(Darwin)
    self.init(decoding: bytes, as: UTF8.self)
    #else
    self.init(
      copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: isASCII))
    #endif
  }
}
