#if Macros
import Foundation

/// The compiler, with the macros of the build that these tests are part of.
enum Compiler {
  /// What the compiler says of a line.
  struct Message {
    var line: Int
    var column: Int
    var kind: String
    var text: String
    /// What a fix-it puts in the place of something.
    var replacement: String?

    func isSame(as other: Message) -> Bool {
      (line, column, kind, text) == (other.line, other.column, other.kind, other.text)
    }
  }

  /// What the compiler says of a source.
  static func messages(of source: String) throws -> [Message] {
    var messages: [Message] = []
    for line in try run(on: source, ["-diagnostic-style", "llvm"]).split(separator: "\n") {
      let pattern = /.*\.swift:(\d+):(\d+): (error|note): (.*?)( \(from macro .*\))?/
      if let match = try pattern.wholeMatch(in: line) {
        messages.append(
          Message(
            line: Int(match.1) ?? 0, column: Int(match.2) ?? 0, kind: String(match.3),
            text: String(match.4)))
      } else if messages.last?.kind == "note" {
        // Below the source and a mark.
        messages[messages.count - 1].replacement = line.trimmingCharacters(in: .whitespaces)
      }
    }
    return messages
  }

  /// The code that the macros of a source add.
  static func expansions(of source: String) throws -> String {
    try run(on: source, ["-dump-macro-expansions"])
  }

  /// Checks the types of a source, and returns what the compiler prints.
  private static func run(on source: String, _ options: [String]) throws -> String {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("macros-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("source.swift")
    try Data(source.utf8).write(to: file)
    let output = directory.appendingPathComponent("output")
    try Data().write(to: output)
    // C modules that the library is built with.
    let checkouts = sequence(first: products) { $0.deletingLastPathComponent() }
      .prefix(5).map { $0.appendingPathComponent("checkouts") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-frontend", "-typecheck", "-swift-version", "6", "-parse-as-library",
        "-I", products.appendingPathComponent("Modules").path,
        "-I", (checkouts?.path ?? "") + "/swift-system/Sources/CSystem/include",
        "-Xcc", "-fmodule-map-file=\(products.path)/CSystemCalls.build/module.modulemap",
        "-load-plugin-executable",
        products.appendingPathComponent("KeepsakeMacroPlugin-tool").path + "#KeepsakeMacroPlugin",
      ] + options + [file.path]
    process.standardError = try FileHandle(forWritingTo: output)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try String(decoding: Data(contentsOf: output), as: UTF8.self)
  }
}
#endif
