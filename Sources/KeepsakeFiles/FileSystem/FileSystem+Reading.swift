public import SystemPackage

extension FileSystem {
  /// The bytes of a file, or `nil` if it does not exist.
  ///
  /// - Throws: ``FileError`` if it exists but cannot be read.
  public func readFile(at path: FilePath) throws(FileError) -> [UInt8]? {
    try openAndReadFile(at: path)?.bytes
  }

  /// A file, open, with its attributes and bytes at that moment, or `nil` if it does not exist.
  ///
  /// - Throws: ``FileError`` if it exists but cannot be read.
  package func openAndReadFile(
    at path: FilePath
  ) throws(FileError) -> (file: any OpenFile, information: FileInformation, bytes: [UInt8])? {
    let file: any OpenFile
    do throws(FileError) {
      file = try open(path, .read)
    } catch {
      if error.code == .noSuchFileOrDirectory || error.code == .notDirectory { return nil }
      throw error
    }
    let information = try retryingInterrupts(file.information)
    return (file, information, try file.read(Int(information.size)))
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
