import KeepsakeFiles
import SystemPackage

/// The part of an asset that has come so far.
struct PartialAsset {
  let fileSystem: any FileSystem
  let path: FilePath

  /// How many bytes have come.
  var count: Int {
    get throws(FileError) { Int(try fileSystem.information(at: path)?.size ?? 0) }
  }

  var content: [UInt8] {
    get throws(FileError) { try fileSystem.readFile(at: path) ?? [] }
  }

  /// Removes the rest of a chunk that has not come as a whole.
  ///
  /// - Returns: How many bytes are left.
  func truncate(toMultipleOf chunkLength: Int, atMost limit: Int) throws(FileError) -> Int {
    let count = try count
    if count == limit { return count }
    let whole = count > limit ? 0 : count / chunkLength * chunkLength
    if whole < count { try fileSystem.open(path, .append).truncate(to: Int64(whole)) }
    return whole
  }

  func append(_ chunk: [UInt8]) throws(FileError) {
    try fileSystem.open(path, .appendCreating).writeAll(chunk)
  }

  func remove() { try? fileSystem.remove(path) }
}
