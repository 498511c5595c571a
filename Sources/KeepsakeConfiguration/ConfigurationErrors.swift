#if Configuration
/// All that keeps a configuration from being a type's: every key that is missing or wrong.
public struct ConfigurationErrors: Error, Sendable {
  /// The faults, in the order in which the type asks for its keys; at least one.
  public let all: [ConfigurationError]
  /// The keys of structures of which not all could be looked at, since a value that is wrong, of a
  /// type that nothing can stand in for, ended their decoding; empty where ``all`` is all there is.
  public let unfinished: [String]
}

extension ConfigurationErrors: CustomStringConvertible {
  /// The faults, a line each.
  public var description: String {
    let lines = all.map(\.description)
    if unfinished.isEmpty { return lines.joined(separator: "\n") }
    let names = unfinished.map { "'\($0)'" }.joined(separator: ", ")
    return (lines + ["what follows \(names) was not looked at"]).joined(separator: "\n")
  }
}
#endif
