#if Portal
import CDBus
import KeepsakeBase
import KeepsakeFiles

@testable import KeepsakeDirectories

/// A desktop portal without a desktop: it shows no dialog and answers as it is told.
final class FakePortal: Sendable {
  enum Answer: Sendable {
    /// The user's answer, after the reply to the call.
    case response(UInt32, [String: BusValue])
    /// The user's answer before the reply.
    case earlyResponse([String: BusValue])
    /// Another program's answer before the user's.
    case impostor([String: BusValue], [String: BusValue])
    /// A response whose arguments are of other types.
    case malformedResponse
    /// An error in place of the dialog.
    case error(String)
    /// The dialog stays open.
    case none
    /// The call gets no reply.
    case noReply
    /// The portal ends while the dialog is open.
    case end
  }

  private struct State {
    var calls: [String: [BusValue]] = [:]
    var isStopped = false
  }

  private let address: String
  private let version: UInt32?
  private let answer: Answer
  private let handle: String?
  private let state = Mutex(State())

  /// Takes the portal's name on a bus.
  ///
  /// - Parameters:
  ///   - version: What the file chooser says; if `nil`, it does not answer.
  ///   - handle: Where the request is; if `nil`, where the caller expects it.
  init(
    address: String, version: UInt32? = 4, handle: String? = nil, answer: Answer
  ) {
    (self.address, self.version, self.answer, self.handle) = (address, version, answer, handle)
    let ready = Mutex(false)
    _ = startThread { [self] in
      guard let connection = dbus_connection_open_private(address, nil) else { return }
      dbus_connection_set_exit_on_disconnect(connection, 0)
      dbus_bus_register(connection, nil)
      dbus_bus_request_name(connection, "org.freedesktop.portal.Desktop", 0, nil)
      dbus_connection_flush(connection)
      ready.withLock { $0 = true }
      while !state.withLock({ $0.isStopped }), dbus_connection_read_write(connection, 5) != 0 {
        while let message = dbus_connection_pop_message(connection) {
          receive(message, on: connection)
          dbus_message_unref(message)
        }
      }
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
    }
    while !ready.withLock({ $0 }) { usleep(1000) }
  }

  /// The arguments of the last call of a method.
  func call(_ member: String) -> [BusValue]? { state.withLock { $0.calls[member] } }

  func stop() { state.withLock { $0.isStopped = true } }

  private func receive(_ message: OpaquePointer, on connection: OpaquePointer) {
    guard dbus_message_get_type(message) == 1 else { return }
    let member = String(cString: dbus_message_get_member(message))
    let sender = String(cString: dbus_message_get_sender(message))
    let arguments = BusValue.arguments(of: message)
    state.withLock { $0.calls[member] = arguments }
    func send(_ message: OpaquePointer?) {
      dbus_connection_send(connection, message, nil)
      dbus_message_unref(message)
    }
    switch member {
    case "Get":
      guard var version, let reply = dbus_message_new_method_return(message) else { return }
      var (iterator, variant) = (DBusMessageIter(), DBusMessageIter())
      dbus_message_iter_init_append(reply, &iterator)
      dbus_message_iter_open_container(&iterator, 118, "u", &variant)
      dbus_message_iter_append_basic(&variant, 117, &version)
      dbus_message_iter_close_container(&iterator, &variant)
      send(reply)
    case "OpenFile":
      guard case .dictionary(let options)? = arguments.last,
        case .string(let token)? = options["handle_token"]
      else { return }
      let name = String(sender.dropFirst().map { $0 == "." ? "_" : $0 })
      let path = handle ?? "/org/freedesktop/portal/desktop/request/\(name)/\(token)"
      func reply() {
        let reply = dbus_message_new_method_return(message)
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(reply, &iterator)
        path.withCString { pointer in
          var pointer = Optional(pointer)
          dbus_message_iter_append_basic(&iterator, 111, &pointer)
        }
        send(reply)
      }
      func respond(_ arguments: [BusValue]) {
        send(Self.response(to: sender, path: path, arguments))
      }
      switch answer {
      case .response(let code, let results):
        reply()
        respond([.uint32(code), .dictionary(results)])
      case .earlyResponse(let results):
        respond([.uint32(0), .dictionary(results)])
        reply()
      case .impostor(let forged, let results):
        let impostor = dbus_connection_open_private(address, nil)
        dbus_bus_register(impostor, nil)
        dbus_connection_send(
          impostor, Self.response(to: sender, path: path, [.uint32(0), .dictionary(forged)]), nil)
        dbus_connection_flush(impostor)
        reply()
        respond([.uint32(0), .dictionary(results)])
        dbus_connection_close(impostor)
      case .malformedResponse:
        reply()
        respond([.string("0"), .strings([])])
      case .error(let name): send(dbus_message_new_error(message, name, "no dialog"))
      case .none: reply()
      case .noReply: break
      case .end:
        reply()
        dbus_connection_flush(connection)
        stop()
      }
    default: break
    }
  }

  static func response(
    to client: String, path: String, _ arguments: [BusValue]
  ) -> OpaquePointer? {
    let signal = dbus_message_new_signal(path, "org.freedesktop.portal.Request", "Response")
    dbus_message_set_destination(signal, client)
    if let signal { BusValue.append(arguments, to: signal) }
    return signal
  }
}
#endif
