public import SystemPackage

/// Asks the user for a directory: ``SystemDirectoryChooser``, ``PortalDirectoryChooser``,
/// ``TerminalDirectoryChooser``, or one of the app's own, as for its tests.
///
/// ```swift
/// let panel = DirectoryPanel(message: "Choose your directory")
/// if let directory = try await SystemDirectoryChooser().chooseDirectory(panel) {
///   bookmark = try DirectoryBookmark(directory: directory)
/// }
/// ```
public protocol DirectoryChooser: Sendable {
  /// Asks the user for a directory, for as long as the user needs.
  ///
  /// - Parameter panel: What the user sees.
  /// - Returns: The absolute path of a directory that exists and can be opened, without symbolic links;
  ///   `nil` if the user chose none.
  /// - Throws: ``DirectoryChooserError``; `CancellationError` if the task was canceled, which takes
  ///   the question away.
  func chooseDirectory(_ panel: DirectoryPanel) async throws -> FilePath?
}
