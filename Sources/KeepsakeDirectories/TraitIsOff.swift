#if !Portal
public import SystemPackage

/// Asks in the desktop's dialog. Unavailable: the trait `Portal` is off.
@available(*, unavailable, message: "Enable the trait `Portal` of the package keepsake")
public struct PortalDirectoryChooser: DirectoryChooser {
  /// Creates a chooser.
  public init(
    busAddress: String? = nil, parentWindow: String = "", replyTimeout: Duration = .seconds(25)
  ) {}

  /// Asks the user for a directory.
  public func chooseDirectory(_ panel: DirectoryPanel) async throws -> FilePath? { nil }
}
#endif
