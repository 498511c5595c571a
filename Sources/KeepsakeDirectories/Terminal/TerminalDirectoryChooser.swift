import KeepsakeBase
import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks for a directory in a terminal, where Tab completes its path.
///
/// The path may be typed, pasted or dragged in from a file manager. A path that is not a directory is explained
/// and asked for again; an empty line, ^C and ^D choose none. If the input is not a terminal, one
/// line is read, and a path that is not a directory is an error.
public struct TerminalDirectoryChooser: DirectoryChooser {
  private let input: FileDescriptor
  private let output: FileDescriptor

  /// Creates a chooser.
  ///
  /// - Parameters:
  ///   - input: Where the user types.
  ///   - output: Where the question is shown; standard output stays for what the program prints.
  public init(input: FileDescriptor = .standardInput, output: FileDescriptor = .standardError) {
    self.input = input
    self.output = output
  }

  /// Asks the user for a directory, for as long as the user needs.
  ///
  /// A relative path begins at the directory of the panel, or else at the current one.
  ///
  /// - Throws: ``DirectoryChooserError``; `CancellationError` if the task was canceled; the terminal is
  ///   then as it was before.
  public func chooseDirectory(_ panel: DirectoryPanel) async throws -> FilePath? {
    let (input, output) = (input, output)
    return try await onBlockingThread { cancellation in
      let base = panel.directory ?? "."
      let typedPath = TypedPath(
        base: DirectoryBookmark.realPath(of: base) ?? base,
        home: HomeDirectory.find(in: ProcessInfo.processInfo.environment))
      let question = TerminalQuestion(
        input: input, output: output, cancellation: cancellation, typedPath: typedPath)
      guard isatty(input.rawValue) == 1, isatty(output.rawValue) == 1 else {
        return try question.readLine(after: panel)
      }
      let settings = try TerminalSettings(of: input)
      defer { settings.restore() }
      return try question.ask(panel)
    }
  }
}
