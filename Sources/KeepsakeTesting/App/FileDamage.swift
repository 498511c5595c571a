public import KeepsakeFiles
public import SystemPackage

/// What can happen to a file on a disk that fails.
@nonexhaustive public enum FileDamage: CaseIterable, Sendable {
  /// The file is empty, as after a power cut during a write in place.
  case emptied
  /// The second half is missing.
  case truncated
  /// The second half consists of zeros, as after a power cut before its bytes were flushed.
  case zeroed
  /// One bit in the middle is inverted.
  case bitFlipped
}

extension FileSystem {
  /// Damages a file, to test what an app does about it.
  ///
  /// The file is replaced. If it is empty, nothing changes.
  ///
  /// - Throws: `FileError` if the file does not exist, or cannot be read or replaced.
  /// - Complexity: O(*n*) in the size of the file.
  public func damage(_ path: FilePath, by damage: FileDamage) throws(FileError) {
    guard var bytes = try readFile(at: path) else {
      throw FileError(.open, path, .noSuchFileOrDirectory)
    }
    let middle = bytes.count / 2
    switch damage {
    case .emptied: bytes = []
    case .truncated: bytes.removeSubrange(middle...)
    case .zeroed:
      for index in middle..<bytes.count { bytes[index] = 0 }
    case .bitFlipped:
      if !bytes.isEmpty { bytes[middle] ^= 0x10 }
    }
    try replaceFile(at: path, with: bytes)
  }
}
