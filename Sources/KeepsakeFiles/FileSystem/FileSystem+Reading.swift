public import SystemPackage

extension FileSystem {
  /// The bytes of a file, or `nil` if it does not exist.
  ///
  /// - Throws: ``FileError`` if it exists but cannot be read.
  public func readFile(at path: FilePath) throws(FileError) -> [UInt8]? {
    let file: any OpenFile
    do throws(FileError) {
      file = try open(path, .read)
    } catch {
      if error.code == .noSuchFileOrDirectory || error.code == .notDirectory { return nil }
      throw error
    }
    return try file.readAll()
  }

  /// Reads files of one directory, one after the other.
  public func readFiles(
    _ names: ArraySlice<String>, inDirectory directory: FilePath,
    _ body: (String, Result<[UInt8]?, FileError>) -> Void
  ) {
    for name in names {
      do throws(FileError) {
        body(name, .success(try readFile(at: directory.appending(name))))
      } catch {
        body(name, .failure(error))
      }
    }
  }
}
