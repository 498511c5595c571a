#if Commands
/// Reads a tar archive: the formats of POSIX, and long names of GNU tar.
struct TarReader {
  /// A regular file of the archive.
  struct File {
    let path: String
    let bytes: [UInt8]
  }

  private let read: (Int) throws -> [UInt8]
  private var offset = 0
  private let limit: Int

  /// - Parameters:
  ///   - limit: The length up to which a file of the archive is read.
  ///   - read: Returns the next bytes of the archive: as many as asked for, or fewer at its end.
  init(limit: Int, _ read: @escaping (Int) throws -> [UInt8]) {
    self.limit = limit
    self.read = read
  }

  /// The next file; `nil` at the end of the archive.
  ///
  /// Directories are left out.
  ///
  /// - Throws: An error that says at which byte the archive is damaged, or what is neither a file nor a
  ///   directory.
  mutating func next() throws -> File? {
    var path: String?
    while true {
      let start = offset
      let header = try take(Tar.blockSize, of: "the archive")
      if header.allSatisfy({ $0 == 0 }) { return nil }
      guard number(header[148..<156]) == Tar.checksum(of: header),
        let size = number(header[124..<136])
      else { throw damaged(start, "a header has a wrong checksum") }
      guard size <= limit else {
        throw damaged(start, "a file has \(size) bytes; at most \(limit) are read")
      }
      let content = try take(size, of: "a file")
      _ = try take((Tar.blockSize - size % Tar.blockSize) % Tar.blockSize, of: "a file")
      switch header[156] {
      case UInt8(ascii: "x"): path = Self.path(inRecords: content) ?? path
      case UInt8(ascii: "L"): path = Self.text(content[...])
      case UInt8(ascii: "g"), UInt8(ascii: "5"): path = nil
      case UInt8(ascii: "0"), 0:
        return File(path: path ?? Self.name(in: header), bytes: content)
      default:
        throw damaged(start, "'\(path ?? Self.name(in: header))' is neither a file nor a directory")
      }
    }
  }

  private mutating func take(_ count: Int, of what: String) throws -> [UInt8] {
    if count == 0 { return [] }
    let bytes = try read(count)
    if bytes.count < count { throw damaged(offset + bytes.count, "\(what) ends too early") }
    offset += count
    return bytes
  }

  private func damaged(_ offset: Int, _ reason: String) -> CommandError {
    CommandError(.wrongData, "The archive cannot be read at byte \(offset): \(reason).")
  }

  /// A field of octal digits.
  private func number(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    guard digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }

  private static func name(in header: [UInt8]) -> String {
    let prefix = text(header[345..<500])
    // GNU tar keeps something else there.
    let isPOSIX = header[257..<263].elementsEqual("ustar\0".utf8)
    return (isPOSIX && !prefix.isEmpty ? prefix + "/" : "") + text(header[0..<100])
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The path that the records of a pax header contain.
  private static func path(inRecords bytes: [UInt8]) -> String? {
    var rest = bytes[...]
    while let space = rest.firstIndex(of: 0x20),
      let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length <= rest.count,
      space + 1 < rest.startIndex + length
    {
      let record = rest[(space + 1)..<(rest.startIndex + length - 1)]
      if record.starts(with: "path=".utf8) {
        return String(decoding: record.dropFirst(5), as: UTF8.self)
      }
      rest = rest.dropFirst(length)
    }
    return nil
  }
}
#endif
