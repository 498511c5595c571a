#if os(Linux)
import Foundation
import KeepsakeDirectories
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A directory is chosen in a terminal", .timeLimit(.minutes(10)))
struct TerminalDirectoryChooserTests {
  private func withQuestion(
    in names: [String], columns: UInt16 = 80,
    _ body: (_ terminal: PseudoTerminal, _ directory: FilePath) async throws -> Void
  ) async throws -> FilePath? {
    try await withTemporaryDirectory { directory in
      for name in names { try makeDirectory(directory.appending(name)) }
      try write("x", to: directory.appending("file"))
      let terminal = try PseudoTerminal(columns: columns)
      let chooser = TerminalDirectoryChooser(input: terminal.terminal, output: terminal.terminal)
      let answer = Task {
        try await chooser.chooseDirectory(
          DirectoryPanel(message: "Where do you work?", directory: directory))
      }
      try await terminal.wait(for: "Where do you work?")
      try await terminal.wait(for: "> ")
      do {
        try await body(terminal, directory)
      } catch {
        answer.cancel()
        throw error
      }
      let result = try await answer.value
      #expect(terminal.isAsBefore)
      guard var relative = result else { return nil }
      let isInside = relative.removePrefix(realPath(of: directory))
      #expect(isInside)
      return relative
    }
  }

  @Test("Tab completes, and a second Tab shows what can be chosen between") func completion()
    async throws
  {
    let answer = try await withQuestion(in: ["photos/2025", "photos/2026", "music"]) {
      (terminal, _) async throws in
      try terminal.press("p\t")
      try await terminal.wait(for: "> photos/")
      try terminal.press("\t\t")
      try await terminal.wait(for: "2025  2026\r\n")
      try terminal.press("6\u{7F}\u{7F}")
      try await terminal.wait(for: "> photos/20")
      try terminal.press("\u{17}\u{17}photos/202\u{1B}[D\u{1B}[C6\r")
    }
    #expect(answer == "photos/2026")
  }

  @Test("A path that is not a directory is explained and asked for again") func explanation()
    async throws
  {
    let answer = try await withQuestion(in: ["work"]) { (terminal, directory) async throws in
      try terminal.press("file\r")
      try await terminal.wait(for: "file' is a file; choose a directory instead")
      try terminal.press("wrk\r")
      try await terminal.wait(for: "wrk' does not exist")
      try terminal.press("\u{1B}[A\u{1B}[H\u{1B}[C\u{1B}[3~or\r")
      try await terminal.wait(for: "> work")
    }
    #expect(answer == "work")
  }

  @Test(
    "An empty line, ^C, ^D and the end of the terminal choose none",
    arguments: ["\r", "x\u{03}", "\u{04}", "\u{15}\u{0B}\r"])
  func none(keys: String) async throws {
    let answer = try await withQuestion(in: []) { (terminal, _) async throws in
      try terminal.press(keys)
    }
    #expect(answer == nil)
  }

  @Test("Canceling the task takes the question away and sets the terminal back")
  func cancellation() async throws {
    await #expect(throws: CancellationError.self) {
      _ = try await withQuestion(in: []) { (terminal, _) async throws in
        try terminal.press("some")
        try await terminal.wait(for: "some")
        throw CancellationError()
      }
    }
    let terminal = try PseudoTerminal()
    let chooser = TerminalDirectoryChooser(input: terminal.terminal, output: terminal.terminal)
    let answer = Task { try await chooser.chooseDirectory(DirectoryPanel()) }
    try await terminal.wait(for: "> ")
    #expect(!terminal.isAsBefore)
    answer.cancel()
    await #expect(throws: CancellationError.self) { try await answer.value }
    #expect(terminal.isAsBefore)
  }

  @Test("A line longer than the terminal scrolls, and names cannot move the cursor") func screen()
    async throws
  {
    let long = String(repeating: "long", count: 20)
    let answer = try await withQuestion(in: [long, "red\u{1B}[2J"], columns: 30) {
      (terminal, _) async throws in
      try terminal.press("red\t")
      try await terminal.wait(for: "> red\u{FFFD}[2J/")
      try terminal.press("\u{15}lo\t")
      try await terminal.wait(for: "longlong/\u{1B}[K")
      try terminal.press("\r")
    }
    #expect(answer == FilePath(long))
  }

  @Test("Without a terminal one line is read, and no byte after it") func pipe() async throws {
    try await withTemporaryDirectory { directory in
      try makeDirectory(directory.appending("work"))
      let (input, writer) = try FileDescriptor.pipe()
      let output = try FileDescriptor.open("/dev/null", .writeOnly)
      let chooser = TerminalDirectoryChooser(input: input, output: output)
      let panel = DirectoryPanel(directory: directory)
      try writer.writeAll("work\r\nmissing\n\nrest".utf8)
      let chosen = try await chooser.chooseDirectory(panel)
      #expect(chosen == realPath(of: directory).appending("work"))
      await #expect(
        throws: DirectoryChooserError.missing(realPath(of: directory).appending("missing"))
      ) {
        try await chooser.chooseDirectory(panel)
      }
      #expect(try await chooser.chooseDirectory(panel) == nil)
      var rest = [UInt8](repeating: 0, count: 4)
      let count = try rest.withUnsafeMutableBytes { (buffer) throws in try input.read(into: buffer)
      }
      #expect(count == 4)
      try writer.close()
      #expect(try await chooser.chooseDirectory(panel) == nil)
      try input.close()
      try output.close()
    }
  }
}
#endif
