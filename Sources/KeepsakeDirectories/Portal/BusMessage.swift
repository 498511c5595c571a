#if Portal
import CDBus

/// A message that came from the bus.
struct BusMessage: Hashable {
  enum Kind: Hashable {
    /// The reply to the call with a serial number.
    case reply(to: UInt32)
    /// The error that answers the call with a serial number.
    case error(name: String, to: UInt32)
    case signal(interface: String, member: String)
    /// A call, which this side never answers.
    case call
  }

  let kind: Kind
  /// The unique name of the connection that sent it.
  let sender: String
  let path: String
  let arguments: [BusValue]

  init(_ message: OpaquePointer) {
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    let serial = dbus_message_get_reply_serial(message)
    kind =
      switch dbus_message_get_type(message) {
      case DBUS_MESSAGE_TYPE_METHOD_RETURN: .reply(to: serial)
      case DBUS_MESSAGE_TYPE_ERROR:
        .error(name: text(dbus_message_get_error_name(message)), to: serial)
      case DBUS_MESSAGE_TYPE_SIGNAL:
        .signal(
          interface: text(dbus_message_get_interface(message)),
          member: text(dbus_message_get_member(message)))
      default: .call
      }
    sender = text(dbus_message_get_sender(message))
    path = text(dbus_message_get_path(message))
    arguments = BusValue.arguments(of: message)
  }
}
#endif
