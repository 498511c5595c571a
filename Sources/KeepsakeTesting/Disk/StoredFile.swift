/// What is durable of one file.
struct StoredFile: Sendable {
  /// The bytes that a disk writes whole or not at all.
  static let sectorSize = 512

  /// Whole sectors, which may reach past the file's end.
  private var sectors: [UInt8] = []
  /// The sectors that were never written: they hold whatever the disk held there before.
  private var holes: Set<Int> = []
  /// The file's size.
  private var size = 0

  init() {}

  init(_ bytes: [UInt8]) {
    resize(to: bytes.count)
    holes = []
    copy(bytes, to: 0)
  }

  /// Whether bytes of the file were never written.
  var hasHoles: Bool { !holes.isEmpty }

  mutating func write(_ bytes: [UInt8], toSector sector: Int) {
    let start = sector * Self.sectorSize
    extend(toSectors: sector + 1)
    copy(bytes, to: start)
    fillZeros(from: start + bytes.count, to: start + Self.sectorSize)
    holes.remove(sector)
  }

  mutating func resize(to newSize: Int) {
    let count = Self.sectorCount(newSize)
    if newSize < size {
      sectors.removeLast(sectors.count - count * Self.sectorSize)
      fillZeros(from: newSize, to: sectors.count)
      if hasHoles { holes = holes.filter { $0 < count } }
    } else {
      extend(toSectors: count)
    }
    size = newSize
  }

  /// The file's bytes.
  ///
  /// - Parameter garbage: What the disk held before; `nil` where what was never written reads as
  ///   zeros.
  func bytes(over garbage: Garbage? = nil) -> [UInt8] {
    var bytes = sectors
    if let garbage {
      for hole in holes {
        let start = hole * Self.sectorSize
        for offset in start..<start + Self.sectorSize { bytes[offset] = garbage[offset] }
      }
    }
    bytes.removeLast(bytes.count - size)
    return bytes
  }

  static func sectorCount(_ size: Int) -> Int { (size + sectorSize - 1) / sectorSize }

  private mutating func extend(toSectors count: Int) {
    let old = sectors.count / Self.sectorSize
    guard old < count else { return }
    sectors.append(contentsOf: repeatElement(0, count: (count - old) * Self.sectorSize))
    holes.formUnion(old..<count)
  }

  private mutating func copy(_ bytes: [UInt8], to start: Int) {
    sectors.withUnsafeMutableBytes { sectors in
      bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: sectors[start...]).copyMemory(from: bytes)
      }
    }
  }

  private mutating func fillZeros(from start: Int, to end: Int) {
    sectors.withUnsafeMutableBytes { sectors in
      for offset in start..<end { sectors[offset] = 0 }
    }
  }
}

/// What a disk held where nothing was written yet: the last file that was removed, and noise.
struct Garbage: Sendable {
  /// The last file that was removed.
  var removed: [UInt8] = []

  subscript(offset: Int) -> UInt8 {
    offset < removed.count ? removed[offset] : UInt8(truncatingIfNeeded: offset &* 167 &+ 91)
  }
}
