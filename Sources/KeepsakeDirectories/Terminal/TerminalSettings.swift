import KeepsakeBase
import SystemPackage

/// A terminal that gives each key as it is pressed, until it is set back (termios(3)).
struct TerminalSettings {
  private let terminal: FileDescriptor
  private let original: termios

  init(of terminal: FileDescriptor) throws {
    self.terminal = terminal
    var settings = termios()
    guard tcgetattr(terminal.rawValue, &settings) == 0 else { throw Errno(rawValue: errno) }
    original = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON)
    guard tcsetattr(terminal.rawValue, TCSADRAIN, &settings) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  func restore() {
    var settings = original
    tcsetattr(terminal.rawValue, TCSADRAIN, &settings)
  }

  /// The width of a terminal in columns.
  static func columns(of terminal: FileDescriptor) -> Int {
    var size = winsize()
    guard ioctl(terminal.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
