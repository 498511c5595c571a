import KeepsakeBase
public import SystemPackage

/// Asks in the desktop's dialog if there is a desktop portal and the trait `Portal` is on, otherwise in the
/// terminal.
public struct SystemDirectoryChooser: DirectoryChooser {
  /// Creates a chooser.
  public init() {}

  /// Asks the user for a directory, for as long as the user needs.
  ///
  /// - Throws: ``DirectoryChooserError``: `unavailable` if there is neither a portal nor a terminal.
  public func chooseDirectory(_ panel: DirectoryPanel) async throws -> FilePath? {
    var reason = "the trait Portal is off"
    #if Portal
    do {
      return try await PortalDirectoryChooser().chooseDirectory(panel)
    } catch let error as DirectoryChooserError {
      switch error {
      case .unavailable(let found): reason = found
      case .noAnswer: reason = error.description
      default: throw error
      }
    }
    #endif
    guard isatty(STDIN_FILENO) == 1 else {
      throw DirectoryChooserError.unavailable("\(reason), and standard input is not a terminal")
    }
    return try await TerminalDirectoryChooser().chooseDirectory(panel)
  }
}
