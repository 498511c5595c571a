import Foundation
import SystemPackage
import Testing

/// The command `keepsake`, which is built beside the tests, as a process.
final class RunningTool {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  /// Starts the command.
  init(_ arguments: [String]) throws {
    let tests = URL(filePath: CommandLine.arguments[0])
    process.executableURL = tests.deletingLastPathComponent().appending(path: "keepsake")
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { process.terminate() }

  /// Types a line.
  func type(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// The next line of the output, or `nil` at its end.
  func readLine() throws -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }

  /// The exit code, once the command has ended.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// Runs a body with a directory of its own, which is removed afterwards.
func withTemporaryDirectory<Result>(
  _ body: (FilePath) async throws -> Result
) async throws -> Result {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(FilePath(directory.path))
}
