#if Commands
/// Writes a tar archive in the format of POSIX.1-2001 (pax), which tar(1) reads.
struct TarWriter {
  private let write: ([UInt8]) throws -> Void

  /// - Parameter write: Receives the bytes of the archive in order.
  init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// Adds a regular file.
  ///
  /// - Parameters:
  ///   - path: Its path in the archive.
  ///   - modified: When it was changed, in seconds since 1970.
  func add(_ path: String, _ bytes: [UInt8], modified: Int64) throws {
    let isShort = path.utf8.count <= Tar.nameLength && path.utf8.allSatisfy { $0 < 0x80 }
    if !isShort {
      let record = Self.record("path", path)
      try write(Self.header("PaxHeaders/path", size: record.count, modified: modified, type: "x"))
      try write(Self.padded(record))
    }
    let name =
      isShort
      ? path : String(decoding: path.utf8.prefix(60).map { $0 < 0x80 ? $0 : 0x5F }, as: UTF8.self)
    try write(Self.header(name, size: bytes.count, modified: modified, type: "0"))
    try write(Self.padded(bytes))
  }

  /// Ends the archive.
  func finish() throws { try write([UInt8](repeating: 0, count: 2 * Tar.blockSize)) }

  /// A record of a pax header; its length includes its own digits.
  private static func record(_ key: String, _ value: String) -> [UInt8] {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count
    while "\(length)".utf8.count + rest.utf8.count != length {
      length = "\(length)".utf8.count + rest.utf8.count
    }
    return Array("\(length)\(rest)".utf8)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let rest = bytes.count % Tar.blockSize
    return rest == 0 ? bytes : bytes + [UInt8](repeating: 0, count: Tar.blockSize - rest)
  }

  private static func header(
    _ name: String, size: Int, modified: Int64, type: Character
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: Tar.blockSize)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
    }
    func octal(_ number: Int64, digits: Int) -> String {
      let text = String(max(0, number), radix: 8)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    put(name, at: 0)
    put(octal(0o600, digits: 7), at: 100)
    put(octal(0, digits: 7), at: 108)
    put(octal(0, digits: 7), at: 116)
    put(octal(Int64(size), digits: 11), at: 124)
    put(octal(modified, digits: 11), at: 136)
    put(String(type), at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put(octal(Int64(Tar.checksum(of: block)), digits: 6), at: 148)
    block[155] = UInt8(ascii: " ")
    return block
  }
}

/// What the reader and the writer of tar archives share.
enum Tar {
  static let blockSize = 512
  static let nameLength = 100

  /// The sum of a header's bytes, those of the sum itself as spaces.
  static func checksum(of block: [UInt8]) -> Int {
    block.enumerated().reduce(0) { sum, byte in
      sum + ((148..<156).contains(byte.offset) ? 0x20 : Int(byte.element))
    }
  }
}
#endif
