import Foundation
import SystemPackage
import Testing

/// The command `keepsake`, which is built beside the tests, as a process.
final class RunningTool {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var unread = Data()

  /// Starts the command.
  init(_ arguments: [String]) throws {
    process.executableURL = Self.executable
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The command.
  static var executable: URL {
    let tests = URL(filePath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appending(path: "keepsake")
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

/// What a command that ended printed, and its exit code.
struct Finished {
  let output: String
  let errors: String
  let code: Int32

  /// Runs the command to its end.
  ///
  /// - Parameter input: What it reads from the standard input.
  init(_ arguments: String..., root: FilePath? = nil, input: [UInt8] = []) async throws {
    try await self.init(
      RunningTool.executable.path, arguments + (root.map { ["--root", $0.string] } ?? []),
      input: input)
  }

  /// Runs any program to its end.
  init(_ program: String, _ arguments: [String], input: [UInt8] = []) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    // Files, so that no pipe is full.
    func file(_ name: String, _ bytes: [UInt8] = []) throws -> FileHandle {
      let url = directory.appending(path: name)
      try Data(bytes).write(to: url)
      return try FileHandle(forUpdating: url)
    }
    let (output, errors) = (try file("output"), try file("errors"))
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = try file("input", input)
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: directory.appending(path: name)), as: UTF8.self)
    }
    (self.output, self.errors) = (try text("output"), try text("errors"))
    code = process.terminationStatus
  }
}

/// The paths of all files below a directory, with their contents.
func files(below directory: FilePath) throws -> [String: Data] {
  var files: [String: Data] = [:]
  for path in try FileManager.default.subpathsOfDirectory(atPath: directory.string) {
    files[path] = FileManager.default.contents(atPath: directory.appending(path).string) ?? Data()
  }
  return files
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
