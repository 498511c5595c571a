import KeepsakeFiles
import SystemPackage

extension DocumentDirectory {
  /// The names of all documents' files, sorted by their UTF-8 bytes.
  ///
  /// - Complexity: O(*n* log *n*) in the files of the directory.
  func names() throws(DocumentError) -> [String] { try names { $0 } }

  /// The results of a closure for the names of all documents' files, in the order of ``names()``.
  ///
  /// - Parameter transform: Called in the order in which the directory is read, while each name is still in the
  ///   processor's caches.
  func names<Result>(_ transform: (String) -> Result?) throws(DocumentError) -> [Result] {
    let suffix = Array(".\(pathExtension)".utf8)
    let names: [String]
    do throws(FileError) {
      names = try fileSystem.contents(ofDirectory: path)
    } catch {
      throw DocumentError(unavailable: error)
    }
    // The first eight bytes nearly always suffice, and numbers are faster to move than names.
    var heads: [(head: UInt64, index: Int)] = []
    heads.reserveCapacity(names.count)
    // Not `append`, which looks up the metadata of the array's storage each time.
    let results = [Result?](unsafeUninitializedCapacity: names.count) { results, count in
      for (index, var name) in names.enumerated() {
        let head = name.withUTF8 { bytes in
          bytes.first != UInt8(ascii: ".") && bytes.suffix(suffix.count).elementsEqual(suffix)
            ? Self.head(of: bytes) : nil
        }
        let result = head == nil ? nil : transform(name)
        if let head, result != nil { heads.append((head, index)) }
        results.initializeElement(at: index, to: result)
        count += 1
      }
    }
    heads.sort { one, other in
      one.head == other.head
        ? names[one.index].utf8.lexicographicallyPrecedes(names[other.index].utf8)
        : one.head < other.head
    }
    return [Result](unsafeUninitializedCapacity: heads.count) { sorted, count in
      for (_, index) in heads {
        sorted.initializeElement(at: count, to: results[index]!)
        count += 1
      }
    }
  }

  /// The first eight bytes of a name as a number that sorts as they do.
  private static func head(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var head: UInt64 = 0
    withUnsafeMutableBytes(of: &head) { $0.copyBytes(from: name.prefix(8)) }
    return UInt64(bigEndian: head)
  }

  /// The content of a document's file, or `nil` if there is none.
  ///
  /// - Throws: ``DocumentError`` with `unavailable` also if the directory does not exist: its documents
  ///   were not removed.
  func content(of name: String) throws(DocumentError) -> [UInt8]? {
    if let content = try content(at: file(name)) { return content }
    if try information(at: path) == nil { throw DocumentError(unavailable: missing) }
    return nil
  }

  /// The error that the directory does not exist.
  var missing: FileError { FileError(.open, path, .noSuchFileOrDirectory) }

  /// The contents of documents' files, one after the other, or `nil` if there is none.
  func readContents(
    of names: ArraySlice<String>, _ body: (String, Result<[UInt8]?, FileError>) -> Void
  ) {
    fileSystem.readFiles(names, inDirectory: path, body)
  }

  /// The content of a file, or `nil` if there is none.
  func content(at path: FilePath) throws(DocumentError) -> [UInt8]? {
    do throws(FileError) {
      return try fileSystem.readFile(at: path)
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  /// The attributes of the file at a path, or `nil` if there is none.
  func information(at path: FilePath) throws(DocumentError) -> FileInformation? {
    do throws(FileError) {
      return try fileSystem.information(at: path)
    } catch {
      throw DocumentError(unavailable: error)
    }
  }

  // MARK: The store's directories

  /// The directories in one of the store's directories, in the order of their names; links to
  /// directories are not among them.
  func subdirectories(of directory: FilePath) throws(FileError) -> [FilePath] {
    var directories: [FilePath] = []
    for name in try contentsIfThere(of: directory) {
      let path = directory.appending(name)
      if try fileSystem.information(at: path)?.kind == .directory { directories.append(path) }
    }
    return directories
  }

  /// The names in one of the store's directories, sorted; none if it is not a directory.
  ///
  /// - Throws: ``FileError`` with `tooManySymbolicLinkLevels` if it is, or is in, a symbolic link.
  func contentsIfThere(of directory: FilePath) throws(FileError) -> [String] {
    try requireNoLink(at: directory)
    do throws(FileError) {
      return try fileSystem.contents(ofDirectory: directory).sorted()
    } catch  where error.code == .noSuchFileOrDirectory || error.code == .notDirectory {
      return []
    }
  }

  /// Checks that no symbolic link leads from the documents' directory to one of the store's other
  /// directories: what is elsewhere is neither read nor changed.
  ///
  /// - Throws: ``FileError`` with `tooManySymbolicLinkLevels` if one does.
  func requireNoLink(at directory: FilePath) throws(FileError) {
    var directory = directory
    // The app may name the documents' directory itself through links.
    while directory.length > path.length {
      if try fileSystem.information(at: directory)?.kind == .symbolicLink {
        throw FileError(.open, directory, .tooManySymbolicLinkLevels)
      }
      directory.removeLastComponent()
    }
  }
}
