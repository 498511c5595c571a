import KeepsakeCoding
import Logging

extension SettingsStore {
  /// The `-key value` pairs of a command line.
  static func settings(in arguments: [String]) -> [SettingsName: PropertyList.Value] {
    var settings: [SettingsName: PropertyList.Value] = [:]
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 1,
        let value = rest.first, !isOption(value)
      else { continue }
      settings[SettingsName(String(argument.dropFirst()))] = .string(value)
      rest.removeFirst()
    }
    return settings
  }

  /// Whether an argument is a key and not a negative number.
  private static func isOption(_ argument: String) -> Bool {
    argument.hasPrefix("-") && Double(argument) == nil
  }

  /// Converts an argument, which has no type of its own, to the type of a key.
  func decodeArgument<Value>(_ text: String, as key: SettingsKey<Value>) -> Value? {
    var values: [PropertyList.Value] = []
    if let number = Int64(text) { values.append(.integer(number)) }
    if let number = UInt64(text) { values.append(.unsigned(number)) }
    if let number = Double(text) { values.append(.real(number)) }
    switch text.lowercased() {
    case "yes", "true": values.append(.boolean(true))
    case "no", "false": values.append(.boolean(false))
    default: break
    }
    if let value = try? PropertyList.Value(parsingXML: Array(text.utf8)) { values.append(value) }
    return values.lazy.compactMap { try? key.coding.decode($0) }.first
  }

  /// Logs a problem; the handler of stores that have no other.
  package static func log(_ problem: SettingsError) {
    switch problem.code {
    // Nothing is lost, and there is nothing to do.
    case .incomplete, .preserved, .notImported: logger.notice("\(problem)")
    default: logger.error("\(problem)")
    }
  }

  static let logger = Logger(label: "keepsake.settings")
}
