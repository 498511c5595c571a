import KeepsakeFiles
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension DocumentFolder {
  /// The names of all documents' files, sorted by their UTF-8 bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the files of the folder.
  func names() throws(DocumentError) -> [String] {
    let suffix = "." + pathExtension
    do throws(FileError) {
      return try fileSystem.contents(ofFolder: path)
        .filter { $0.utf8.first != UInt8(ascii: ".") && $0.hasSuffix(suffix) }
        .sorted { $0.precedesInBytes($1) }
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  /// What is in a document's file, or `nil` where there is none.
  func content(of name: String) throws(DocumentError) -> [UInt8]? {
    do throws(FileError) {
      return try fileSystem.readFile(at: file(name))
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

extension String {
  /// Whether the UTF-8 bytes come before another string's, as `lexicographicallyPrecedes` has it but
  /// many bytes at a time.
  fileprivate func precedesInBytes(_ other: String) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        let order = memcmp(bytes.baseAddress!, others.baseAddress!, min(bytes.count, others.count))
        return order == 0 ? bytes.count < others.count : order < 0
      }
    }.flatMap { $0 } ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}
