#if Portal
/// The error that another program of the bus answered with.
struct BusError: Error, CustomStringConvertible {
  let name: String
  let message: String

  var description: String { message.isEmpty ? name : "\(message) (\(name))" }
}
#endif
