/// The contents of sectors that were never written: the last removed file, followed by noise.
struct Garbage: Sendable {
  /// The last removed file.
  var removed: [UInt8] = []

  private static let noise = (0..<StoredFile.sectorSize).map {
    UInt8(truncatingIfNeeded: $0 &* 167 &+ 91)
  }

  /// The previous contents of one sector of a file.
  func sector(_ sector: Int) -> ArraySlice<UInt8> {
    let found = removed.dropFirst(sector * StoredFile.sectorSize).prefix(StoredFile.sectorSize)
    return found + Self.noise.dropFirst(found.count)
  }
}
