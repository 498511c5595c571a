#if Portal
import KeepsakeBase
public import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks in the desktop's dialog, through the XDG desktop portal (`org.freedesktop.portal.FileChooser`).
///
/// It works for each desktop, with Wayland and X11, and from a Flatpak, whose portal also grants access
/// to the directory.
public struct PortalDirectoryChooser: DirectoryChooser {
  private let busAddress: String?
  private let parentWindow: String
  private let replyTimeout: Duration

  /// Creates a chooser.
  ///
  /// - Parameters:
  ///   - busAddress: The address of a message bus; if `nil`, that of the user's session.
  ///   - parentWindow: The window that the dialog belongs to, as the portal writes it:
  ///     `wayland:` and a handle, or `x11:` and a number in hexadecimal.
  ///   - replyTimeout: How long the portal may take to show the dialog; the user may take longer.
  public init(
    busAddress: String? = nil, parentWindow: String = "", replyTimeout: Duration = .seconds(25)
  ) {
    self.busAddress = busAddress
    self.parentWindow = parentWindow
    self.replyTimeout = replyTimeout
  }

  /// Asks the user for a directory, for as long as the user needs.
  ///
  /// - Throws: ``DirectoryChooserError``: `unavailable` if there is no portal that chooses directories;
  ///   `CancellationError` if the task was canceled, which closes the dialog.
  public func chooseDirectory(_ panel: DirectoryPanel) async throws -> FilePath? {
    let (parentWindow, replyTimeout) = (parentWindow, replyTimeout)
    guard
      let address = busAddress ?? Self.sessionBusAddress(in: ProcessInfo.processInfo.environment)
    else {
      throw DirectoryChooserError.unavailable("there is no session bus")
    }
    return try await onBlockingThread { cancellation in
      let bus = try MessageBus(
        address: address, cancellation: cancellation, timeout: replyTimeout)
      return try PortalRequest(bus: bus).run(panel, parentWindow: parentWindow)
    }
  }

  /// Where the session's bus is; one is never started.
  static func sessionBusAddress(in environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
      return address.hasPrefix("autolaunch:") ? nil : address
    }
    guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else {
      return nil
    }
    let socket = FilePath(directory).appending("bus")
    guard socket.withPlatformString({ access($0, F_OK) }) == 0 else { return nil }
    // "D-Bus Specification", server addresses: what may stand unescaped.
    let path = PercentEncoding.encode(socket.string) { _, scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "/", ".", "\\": false
      default: true
      }
    }
    return "unix:path=\(path)"
  }
}
#endif
