/// What the command line says.
struct LaunchOptions: Equatable {
  private(set) var ports: ClosedRange<UInt16> = 8080...8179
  private(set) var root: String?
  private(set) var configuration: String?

  init(_ arguments: some Collection<String>) throws {
    var rest = arguments.makeIterator()
    func text(after argument: String) throws -> String {
      if let text = rest.next(), !text.isEmpty { return text }
      throw UnusableArgument(message: "\(argument) needs a value.")
    }
    while let argument = rest.next() {
      switch argument {
      case "--port":
        guard let port = rest.next().flatMap({ UInt16($0) }), port > 0 else {
          throw UnusableArgument(message: "--port needs a number from 1 to 65535.")
        }
        ports = port...port
      case "--root": root = try text(after: argument)
      case "--config": configuration = try text(after: argument)
      case "--config-environment":
        // Which section of the configuration counts, it reads itself.
        _ = rest.next()
      case _ where argument.hasPrefix("-") && !argument.hasPrefix("--"):
        // `-key value` is a setting of this run, which the settings read themselves.
        _ = rest.next()
      default:
        throw UnusableArgument(message: "\(argument) is none of --port, --root, --config.")
      }
    }
  }

  /// A part of the command line that means nothing here.
  struct UnusableArgument: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
  }
}
