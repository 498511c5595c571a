import KeepsakeCoding
import Logging

extension SettingsStore {
  /// The `-key value` pairs of a command line.
  static func settings(in arguments: [String]) -> [String: PropertyList.Value] {
    var settings: [String: PropertyList.Value] = [:]
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 1,
        let value = rest.first, !isOption(value)
      else { continue }
      settings[String(argument.dropFirst())] = .string(value)
      rest.removeFirst()
    }
    return settings
  }

  /// Whether an argument is a key, and no negative number.
  private static func isOption(_ argument: String) -> Bool {
    argument.hasPrefix("-") && Double(argument) == nil
  }

  /// A value of some type from the text of an argument, which does not say its type.
  func decodeArgument<Value>(_ text: String, as key: SettingsKey<Value>) -> Value? {
    var readings: [PropertyList.Value] = []
    if let number = Int64(text) { readings.append(.integer(number)) }
    if let number = UInt64(text) { readings.append(.unsigned(number)) }
    if let number = Double(text) { readings.append(.real(number)) }
    switch text.lowercased() {
    case "yes", "true": readings.append(.boolean(true))
    case "no", "false": readings.append(.boolean(false))
    default: break
    }
    if let value = try? PropertyList.Value(parsingXML: Array(text.utf8)) { readings.append(value) }
    return readings.lazy.compactMap { try? key.coding.decode($0) }.first
  }

  /// Logs a problem that nobody else is told of.
  static func log(_ problem: SettingsError) {
    logger.error("\(problem)")
  }

  private static let logger = Logger(label: "keepsake.settings")
}
