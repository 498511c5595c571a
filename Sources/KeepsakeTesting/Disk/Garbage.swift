/// What a disk held where nothing was written yet: the last file that was removed, and noise.
struct Garbage: Sendable {
  /// The last file that was removed.
  var removed: [UInt8] = []

  private static let noise = (0..<StoredFile.sectorSize).map {
    UInt8(truncatingIfNeeded: $0 &* 167 &+ 91)
  }

  /// The bytes that one sector of a file held.
  func sector(_ sector: Int) -> ArraySlice<UInt8> {
    let found = removed.dropFirst(sector * StoredFile.sectorSize).prefix(StoredFile.sectorSize)
    return found + Self.noise.dropFirst(found.count)
  }
}
