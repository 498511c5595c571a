/// The durable state of one file.
struct StoredFile: Sendable {
  /// The number of bytes that a disk writes atomically.
  static let sectorSize = 512

  private static let zeros = [UInt8](repeating: 0, count: sectorSize)

  /// Whole sectors, which may extend past the file's end.
  private var sectors: [UInt8] = []
  /// The sectors that were never written; they contain what the disk held there before.
  private var holes: Set<Int> = []
  /// The file's size.
  private var size = 0

  init() {}

  init(_ bytes: [UInt8]) {
    resize(to: bytes.count)
    holes = []
    Self.copy(bytes[...], to: 0, of: &sectors)
  }

  /// Whether bytes of the file were never written.
  var hasHoles: Bool { !holes.isEmpty }

  mutating func write(_ bytes: [UInt8], toSector sector: Int) {
    let start = sector * Self.sectorSize
    extend(toSectors: sector + 1)
    Self.copy(bytes[...], to: start, of: &sectors)
    Self.copy(Self.zeros[bytes.count...], to: start + bytes.count, of: &sectors)
    holes.remove(sector)
  }

  mutating func resize(to newSize: Int) {
    let count = Self.sectorCount(newSize)
    if newSize < size {
      sectors.removeLast(sectors.count - count * Self.sectorSize)
      let rest = sectors.count - newSize
      Self.copy(Self.zeros.prefix(rest), to: newSize, of: &sectors)
      if hasHoles { holes = holes.filter { $0 < count } }
    } else {
      extend(toSectors: count)
    }
    size = newSize
  }

  /// The file's bytes.
  ///
  /// - Parameter garbage: The contents of sectors that were never written; zeros if `nil`.
  func bytes(over garbage: Garbage? = nil) -> [UInt8] {
    var bytes = sectors
    if let garbage {
      for hole in holes {
        Self.copy(garbage.sector(hole), to: hole * Self.sectorSize, of: &bytes)
      }
    }
    bytes.removeLast(bytes.count - size)
    return bytes
  }

  static func sectorCount(_ size: Int) -> Int { (size + sectorSize - 1) / sectorSize }

  private mutating func extend(toSectors count: Int) {
    let old = sectors.count / Self.sectorSize
    guard old < count else { return }
    for sector in old..<count {
      sectors += Self.zeros
      holes.insert(sector)
    }
  }

  /// Copies without an explicit loop, which would take most of an exploration's time.
  private static func copy(
    _ source: ArraySlice<UInt8>, to start: Int, of target: inout [UInt8]
  ) {
    target.withUnsafeMutableBytes { target in
      source.withUnsafeBytes { source in
        UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: source)
      }
    }
  }
}
