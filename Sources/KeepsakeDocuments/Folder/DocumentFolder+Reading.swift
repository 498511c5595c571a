import KeepsakeFiles
import SystemPackage

extension DocumentFolder {
  /// The names of all documents' files, sorted by their UTF-8 bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the files of the folder.
  func names() throws(DocumentError) -> [String] {
    let suffix = Array(".\(pathExtension)".utf8)
    let names: [String]
    do throws(FileError) {
      names = try fileSystem.contents(ofFolder: path)
    } catch {
      throw DocumentError(unavailable: error)
    }
    var sorted: [SortedName] = []
    sorted.reserveCapacity(names.count)
    for var name in names {
      let head = name.withUTF8 { bytes in
        bytes.first != UInt8(ascii: ".") && bytes.suffix(suffix.count).elementsEqual(suffix)
          ? SortedName.head(of: bytes) : nil
      }
      if let head { sorted.append(SortedName(head: head, name: name)) }
    }
    sorted.sort()
    return sorted.map(\.name)
  }

  /// What is in a document's file, or `nil` where there is none.
  func content(of name: String) throws(DocumentError) -> [UInt8]? {
    try content(at: file(name))
  }

  /// What is in a file, or `nil` where there is none.
  func content(at path: FilePath) throws(DocumentError) -> [UInt8]? {
    do throws(FileError) {
      return try fileSystem.readFile(at: path)
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  /// What is known of a file at a path, or `nil` where there is none.
  func information(at path: FilePath) throws(DocumentError) -> FileInformation? {
    do throws(FileError) {
      return try fileSystem.information(at: path)
    } catch {
      throw DocumentError(unavailable: error)
    }
  }
}

/// A name in the order of its UTF-8 bytes, of which the first eight decide nearly always.
private struct SortedName: Comparable {
  let head: UInt64
  let name: String

  static func head(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var head: UInt64 = 0
    withUnsafeMutableBytes(of: &head) { $0.copyBytes(from: bytes.prefix(8)) }
    return UInt64(bigEndian: head)
  }

  static func < (one: Self, other: Self) -> Bool {
    one.head == other.head
      ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8) : one.head < other.head
  }
}
