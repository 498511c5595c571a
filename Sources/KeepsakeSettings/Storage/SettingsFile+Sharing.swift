import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles

/// Values that other machines share.
extension SettingsFile {
  /// A name for the files as they are now, which copies of them do not have once they are opened.
  static func newOrigin() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<16).map { _ in Hexadecimal.text(of: UInt8.random(in: 0 ... .max, using: &generator))
    }
    .joined()
  }

  /// Has the changes that follow be those of a new origin, if other machines share the values.
  func beginOrigin(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    if contents.withLock({ $0.log == nil }) { return }
    var update = SyncLog.Update()
    update.origin = Self.newOrigin()
    try set([], received: update, &writer, &names)
  }
}
