#if Portal
import CDBus
import SystemPackage

/// A connection to a message bus that one thread uses.
///
/// It waits itself instead of in libdbus, so that canceling the task ends the wait, and a bus that
/// accepts connections but does not answer is an error in time.
final class MessageBus {
  private let connection: OpaquePointer
  private let cancellation: FileDescriptor
  private let timeout: Duration
  /// Messages that came while a reply was awaited.
  private var waiting: [BusMessage] = []
  /// This connection's name on the bus.
  private(set) var name = ""

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - address: Where the bus is ("D-Bus Specification", server addresses).
  ///   - cancellation: Becomes readable when the task is canceled.
  ///   - timeout: How long each reply may take.
  init(address: String, cancellation: FileDescriptor, timeout: Duration) throws {
    guard dbus_threads_init_default() != 0 else { throw Errno.noMemory }
    // A broken pipe is an error here, not the end of the process; the app decides about the signal.
    dbus_connection_set_change_sigpipe(0)
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let connection = dbus_connection_open_private(address, &error) else {
      let reason = error.message.map { String(cString: $0) } ?? "no memory"
      throw DirectoryChooserError.unavailable("there is no session bus: \(reason)")
    }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    self.connection = connection
    self.cancellation = cancellation
    self.timeout = timeout
    let reply = try call(.bus("Hello"))
    if case .string(let name)? = reply.arguments.first { self.name = name }
  }

  deinit {
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
  }

  /// Calls a method and waits for its reply.
  ///
  /// - Throws: ``BusError`` if another program answers with an error.
  func call(_ method: BusMethod) throws -> BusMessage {
    let serial = try send(method)
    let deadline = ContinuousClock.now + timeout
    while let message = try receive(before: deadline) {
      switch message.kind {
      case .reply(to: serial): return message
      case .error(let name, to: serial):
        guard case .string(let text)? = message.arguments.first else {
          throw BusError(name: name, message: "")
        }
        throw BusError(name: name, message: text)
      default: waiting.append(message)
      }
    }
    throw DirectoryChooserError.noAnswer(after: timeout)
  }

  /// The next message that is no awaited reply, however long it takes.
  func nextMessage() throws -> BusMessage {
    if !waiting.isEmpty { return waiting.removeFirst() }
    return try receive(before: nil)!
  }

  /// Calls a method whose reply does not matter, in at most a second.
  func post(_ method: BusMethod) {
    guard (try? send(method)) != nil else { return }
    let deadline = ContinuousClock.now + .seconds(1)
    while dbus_connection_has_messages_to_send(connection) != 0, ContinuousClock.now < deadline,
      dbus_connection_read_write(connection, 50) != 0
    {}
  }

  private func send(_ method: BusMethod) throws -> UInt32 {
    guard let message = method.makeMessage() else { throw Errno.noMemory }
    defer { dbus_message_unref(message) }
    var serial: UInt32 = 0
    guard dbus_connection_send(connection, message, &serial) != 0 else { throw Errno.noMemory }
    return serial
  }

  private func receive(before deadline: ContinuousClock.Instant?) throws -> BusMessage? {
    while true {
      if let message = dbus_connection_pop_message(connection) {
        defer { dbus_message_unref(message) }
        return BusMessage(message)
      }
      guard dbus_connection_get_is_connected(connection) != 0 else {
        throw DirectoryChooserError.ended
      }
      var milliseconds: Int32 = -1
      if let deadline {
        let left = deadline - .now
        guard left > .zero else { return nil }
        milliseconds = Int32(clamping: Int64(left / .milliseconds(1)) + 1)
      }
      try wait(milliseconds)
    }
  }

  private func wait(_ milliseconds: Int32) throws {
    var descriptor: Int32 = -1
    if dbus_connection_has_messages_to_send(connection) != 0
      || dbus_connection_get_unix_fd(connection, &descriptor) == 0
    {
      // libdbus alone knows what it waits for to write, as while it authenticates.
      _ = try waitForBytes(in: -1, orCancellation: cancellation, milliseconds: 0)
      dbus_connection_read_write(connection, min(50, milliseconds < 0 ? 50 : milliseconds))
    } else if try waitForBytes(
      in: descriptor, orCancellation: cancellation, milliseconds: milliseconds)
    {
      dbus_connection_read_write(connection, 0)
    }
  }
}
#endif
