#if Portal
import CDBus

/// A method of an object on the bus, and what it is called with.
struct BusMethod {
  let destination: String
  let path: String
  let interface: String
  let member: String
  var arguments: [BusValue] = []

  /// A method of the bus itself.
  static func bus(_ member: String, _ arguments: BusValue...) -> BusMethod {
    let name = "org.freedesktop.DBus"
    return BusMethod(
      destination: name, path: "/org/freedesktop/DBus", interface: name, member: member,
      arguments: arguments)
  }

  /// A message that calls the method; `nil` if memory is exhausted.
  func makeMessage() -> OpaquePointer? {
    let message = dbus_message_new_method_call(destination, path, interface, member)
    if let message { BusValue.append(arguments, to: message) }
    return message
  }
}
#endif
