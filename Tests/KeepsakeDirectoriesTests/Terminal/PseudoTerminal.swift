#if os(Linux)
import Foundation
import KeepsakeBase
import SystemPackage

/// A terminal of the test's own (pty(7)): the test reads the screen and presses keys.
final class PseudoTerminal {
  /// The program's side.
  let terminal: FileDescriptor
  private let keyboard: Int32
  private(set) var screen = ""

  init(columns: UInt16 = 80) throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // ioctl_tty(2): TIOCSPTLCK and TIOCGPTN, whose values are macros that Swift does not see.
    var (isLocked, number): (Int32, Int32) = (0, 0)
    guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &isLocked) == 0,
      ioctl(keyboard, 0x8004_5430, &number) == 0
    else { throw Errno(rawValue: errno) }
    terminal = FileDescriptor(rawValue: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)
    _ = fcntl(keyboard, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(keyboard)
    try? terminal.close()
  }

  func press(_ keys: String) throws { try FileDescriptor(rawValue: keyboard).writeAll(keys.utf8) }

  /// Waits until the screen shows a text, and forgets what was shown up to it.
  func wait(for text: String) async throws {
    while true {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(keyboard, &bytes, bytes.count)
      if count > 0 { screen += String(decoding: bytes[..<count], as: UTF8.self) }
      if let end = screen.range(of: text)?.upperBound {
        screen.removeSubrange(..<end)
        return
      }
      if count <= 0 { try await Task.sleep(for: .milliseconds(2)) }
    }
  }

  /// Whether the terminal gives whole lines and shows what is typed, as a new one does.
  var isAsBefore: Bool {
    var settings = termios()
    tcgetattr(terminal.rawValue, &settings)
    let flags = tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    return settings.c_lflag & flags == flags
  }
}
#endif
