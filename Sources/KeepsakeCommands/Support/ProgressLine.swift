#if Commands
import KeepsakeBase
import SystemPackage

/// A line of the terminal that says how far something is.
final class ProgressLine {
  private let doing: String
  private let total: Int?
  private let begin = ContinuousClock.now
  private var shown = ContinuousClock.now
  private var isShown = false
  private let isWatched = isatty(FileDescriptor.standardError.rawValue) != 0

  init(_ doing: String, _ total: Int?) {
    self.doing = doing
    self.total = total
  }

  /// Shows a number, ten times a second at most.
  func update(_ done: Int) {
    let now = ContinuousClock.now
    guard isWatched, now - begin > .seconds(1), !isShown || now - shown > .milliseconds(100)
    else { return }
    (isShown, shown) = (true, now)
    write("\r\(doing): \(done)" + (total.map { " of \($0)" } ?? ""))
  }

  /// Removes the line.
  func finish() { if isShown { write("\r\u{1B}[K") } }

  private func write(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }
}
#endif
