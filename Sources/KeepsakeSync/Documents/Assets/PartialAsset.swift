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

  /// Appends a chunk, unless another process has just appended one.
  ///
  /// - Parameter start: How many bytes had come when it was asked for.
  func append(_ chunk: [UInt8], at start: Int) throws(FileError) {
    let file = try fileSystem.open(path, .appendCreating)
    if chunk.isEmpty { return }
    let (end, count) = try chunk.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in
      try file.append(bytes)
    }
    if end - Int64(count) != start || count < chunk.count {
      try file.truncate(to: end - Int64(count))
    }
  }

  func remove() { try? fileSystem.remove(path) }
}
