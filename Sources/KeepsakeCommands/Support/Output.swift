#if Commands
import KeepsakeCoding
import KeepsakeSettings
import SystemPackage

/// What a command writes: results to the standard output, all else to the standard error.
struct Output: Sendable {
  /// Writes a line immediately.
  func line(_ text: String) throws(CommandError) { try write(Array("\(text)\n".utf8)) }

  /// Writes a value as JSON, in several lines or in one.
  func json(_ value: JSON.Value, isPretty: Bool = true) throws {
    try write(value.serialized(prettyPrinted: isPretty) + [UInt8(ascii: "\n")])
  }

  /// Writes bytes.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    do {
      try FileDescriptor.standardOutput.writeAll(bytes)
    } catch Errno.brokenPipe {
      throw CommandError(.closedOutput, "")
    } catch {
      throw CommandError(.ioError, "The standard output cannot be written: \(error).")
    }
  }

  /// Writes a line for the person at the terminal, without what the terminal would obey.
  func warn(_ text: String) {
    let visible = SettingText.visible(text, isKeepingLines: true)
    _ = try? FileDescriptor.standardError.writeAll("\(visible)\n".utf8)
  }

  /// Shows how far something is that takes longer than a second, if a person watches.
  func progress(_ doing: String, of total: Int? = nil) -> ProgressLine {
    ProgressLine(doing, total)
  }
}
#endif
