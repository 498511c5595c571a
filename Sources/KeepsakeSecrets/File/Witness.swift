#if Secrets
import KeepsakeFiles
import SystemPackage

/// A file on another disk that contains the newest generation of a store, as digits and a newline.
struct Witness {
  let path: FilePath
  let files: any FileSystem

  /// The generation, or `nil` if there is no such file.
  ///
  /// - Throws: ``SecretError`` if it cannot be read or contains something else.
  func generation() throws(SecretError) -> UInt64? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try files.readFile(at: path)
    } catch {
      throw SecretError(.unavailable, "the witness cannot be read", file: path, cause: error)
    }
    guard let bytes else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    // No store counts further, and a generation after it must not overflow.
    guard let number = UInt64(text.prefix { $0 != "\n" }), number < .max / 2 else {
      throw SecretError(.damaged, "the witness does not contain a generation", file: path)
    }
    return number
  }

  /// Replaces the generation.
  func write(_ generation: UInt64) throws(FileError) {
    let directory = path.removingLastComponent()
    if !directory.isEmpty { try files.createDirectories(directory) }
    try files.replaceFile(at: path, with: Array("\(generation)\n".utf8))
  }
}
#endif
