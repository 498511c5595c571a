#if Commands
import KeepsakeFiles
import SystemPackage

/// What a command reads from a file, or from the standard input for `-`.
enum Input {
  /// As much as is read into memory.
  static let limit = 256 << 20

  /// Reads all bytes.
  static func bytes(of name: String) throws -> [UInt8] {
    if name == "-" { return try standardInput() }
    let path = FilePath(name)
    let files = LocalFileSystem()
    guard let found = try files.information(at: path) else {
      throw CommandError(.missing, "There is no file '\(name)'.")
    }
    if found.size > limit { throw tooLong(name, "\(found.size) bytes") }
    guard let bytes = try files.readFile(at: path) else {
      throw CommandError(.missing, "There is no file '\(name)'.")
    }
    return bytes
  }

  /// A value that is an argument, or the standard input without the line break at its end for `-`.
  static func text(of argument: String) throws -> String {
    if argument != "-" { return argument }
    var bytes = try standardInput()
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.wrongData, "The standard input is not UTF-8; nothing was changed.")
    }
    return text
  }

  private static func standardInput() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try buffer.withUnsafeMutableBytes {
        try FileDescriptor.standardInput.read(into: $0)
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > limit { throw tooLong("the standard input", "more bytes") }
    }
  }

  private static func tooLong(_ name: String, _ size: String) -> CommandError {
    CommandError(
      .wrongData, "'\(name)' has \(size); at most \(limit) are read. Nothing was changed.")
  }
}
#endif
