#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Tape {
  /// Long texts and data of a binary property list, each of which is made once though many rows
  /// name it.
  ///
  /// Otherwise a few bytes a time could stand for a long text each, and the whole for more than
  /// there is memory.
  struct SharedValues {
    /// Shorter values are made again for each row.
    static let minimumLength = 256

    fileprivate var texts: [Int: String] = [:]
    fileprivate var data: [Int: Data] = [:]
  }

  /// A number for the bytes of a row: no two texts have one offset, in the file or in the heap.
  private func source(_ index: Int) -> Int {
    offset(index) * 2 + (hasTrait(Self.heapTrait, index) ? 1 : 0)
  }

  /// The text of a row with ``sharedTrait``.
  @inline(never)
  mutating func sharedText(_ index: Int) -> String {
    let (token, source) = (string(index), source(index))
    if let text = sharedValues.texts[source], text.utf8.count == token.count { return text }
    let text = JSON.text(of: token)
    sharedValues.texts[source] = text
    return text
  }

  /// The bytes of a row of data.
  ///
  /// - Throws: The offset in the file of the first byte that is not base64.
  mutating func data(_ index: Int) throws(Base64.InvalidByte) -> Data {
    let token = string(index)
    let bytes = UnsafeBufferPointer(start: token.start, count: token.count)
    if format == .xml, !hasTrait(Self.heapTrait, index) {
      do throws(Base64.InvalidByte) {
        return try Base64.data(bytes, allowsWhitespace: true)
      } catch {
        throw Base64.InvalidByte(offset: offset(index) + error.offset)
      }
    }
    guard format == .binary, token.count >= SharedValues.minimumLength else {
      return Data(buffer: bytes)
    }
    let source = source(index)
    if let data = sharedValues.data[source], data.count == token.count { return data }
    let data = Data(buffer: bytes)
    sharedValues.data[source] = data
    return data
  }
}
