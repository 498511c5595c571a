#if Portal
import KeepsakeBase
import SystemPackage

/// One dialog of the portal ("XDG Desktop Portal", `FileChooser` and `Request`).
struct PortalRequest {
  let bus: MessageBus
  private static let desktop = "org.freedesktop.portal.Desktop"
  private static let requestInterface = "org.freedesktop.portal.Request"

  func run(_ panel: DirectoryPanel, parentWindow: String) throws -> FilePath? {
    let version = try version()
    // Before the call, so that no answer is missed.
    for rule in [
      "type='signal',sender='\(Self.desktop)',interface='\(Self.requestInterface)'",
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.desktop)'",
    ] {
      _ = try bus.call(.bus("AddMatch", .string(rule)))
    }
    let token = "keepsake\(Hexadecimal.random(byteCount: 16))"
    let sender = bus.name.dropFirst().map { $0 == "." ? "_" : $0 }
    // As the portal builds it, since its version 0.9.
    let predicted = "/org/freedesktop/portal/desktop/request/\(String(sender))/\(token)"
    do {
      let reply = try bus.call(
        openFile(panel, parentWindow: parentWindow, token: token, version: version))
      guard case .string(let handle)? = reply.arguments.first else {
        throw DirectoryChooserError.failed("its reply names no request")
      }
      return try awaitResponse(from: reply.sender, paths: [predicted, handle])
    } catch let error as BusError {
      throw DirectoryChooserError.failed(error.description)
    } catch let error where error is CancellationError || error.isNoAnswer {
      bus.post(
        BusMethod(
          destination: Self.desktop, path: predicted, interface: Self.requestInterface,
          member: "Close"))
      throw error
    }
  }

  /// The version of the portal's file chooser, which says what it can do.
  private func version() throws -> UInt32 {
    let interface = "org.freedesktop.portal.FileChooser"
    let reply: BusMessage
    do {
      reply = try bus.call(
        object("org.freedesktop.DBus.Properties", "Get", .string(interface), .string("version")))
    } catch let error as BusError {
      throw DirectoryChooserError.unavailable("there is no desktop portal: \(error)")
    }
    guard case .uint32(let version)? = reply.arguments.first, version >= 3 else {
      throw DirectoryChooserError.unavailable("the desktop portal cannot choose directories yet")
    }
    return version
  }

  private func openFile(
    _ panel: DirectoryPanel, parentWindow: String, token: String, version: UInt32
  ) -> BusMethod {
    var options: [String: BusValue] = [
      "handle_token": .string(token),
      // An underscore marks the key that presses the button.
      "accept_label": .string(
        panel.prompt.split(separator: "_", omittingEmptySubsequences: false)
          .joined(separator: "__")),
      "directory": .boolean(true),
    ]
    if version >= 4, let directory = panel.directory {
      options["current_folder"] = .bytes(
        directory.withPlatformString { path in
          // With its final zero, as the portal wants it.
          UnsafeRawBufferPointer(start: path, count: strlen(path) + 1).map { $0 }
        })
    }
    return object(
      "org.freedesktop.portal.FileChooser", "OpenFile", .string(parentWindow),
      .string(panel.message), .dictionary(options))
  }

  private func object(_ interface: String, _ member: String, _ arguments: BusValue...) -> BusMethod
  {
    BusMethod(
      destination: Self.desktop, path: "/org/freedesktop/portal/desktop", interface: interface,
      member: member, arguments: arguments)
  }

  /// Waits for the user.
  ///
  /// - Parameters:
  ///   - owner: The connection that shows the dialog; what others send is ignored.
  ///   - paths: Where the request may be.
  private func awaitResponse(from owner: String, paths: [String]) throws -> FilePath? {
    while true {
      let message = try bus.nextMessage()
      switch message.kind {
      case .signal("org.freedesktop.DBus", "NameOwnerChanged")
      where message.sender == "org.freedesktop.DBus":
        if message.arguments.count == 3, message.arguments[2] != .string(owner) {
          throw DirectoryChooserError.ended
        }
      case .signal(Self.requestInterface, "Response")
      where message.sender == owner && paths.contains(message.path):
        return try directory(in: message.arguments)
      default: continue
      }
    }
  }

  private func directory(in response: [BusValue]) throws -> FilePath? {
    guard response.count == 2, case .uint32(let code) = response[0],
      case .dictionary(let results) = response[1]
    else { throw DirectoryChooserError.failed("its response has another form") }
    switch code {
    case 0:
      guard case .strings(let uris)? = results["uris"], let uri = uris.first else {
        throw DirectoryChooserError.failed("its response names no directory")
      }
      return try ChosenDirectory.check(URIList.path(ofURI: uri))
    // 1 for the button, and 2 where the window was closed or Escape pressed.
    default: return nil
    }
  }
}

extension Error {
  fileprivate var isNoAnswer: Bool {
    if case .noAnswer? = self as? DirectoryChooserError { true } else { false }
  }
}
#endif
