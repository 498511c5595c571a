import KeepsakeFiles
import SystemPackage

extension DocumentFolder {
  /// The names of all documents' files, sorted by their UTF-8 bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the files of the folder.
  func names() throws(DocumentError) -> [String] {
    let suffix = "." + pathExtension
    do throws(FileError) {
      return try fileSystem.contents(ofFolder: path)
        .filter { $0.utf8.first != UInt8(ascii: ".") && $0.hasSuffix(suffix) }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
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
