#if Configuration
import Configuration
import KeepsakeBase

/// The values of the command line or of the environment's variables, all of them texts.
struct TextLayer: Sendable {
  let layer: ConfigurationLayer
  private let provider: any ConfigProvider
  private let arguments: [String]
  private let known = Known()

  /// What was looked up before, which costs more than it does to remember.
  private final class Known: Sendable {
    let texts = Mutex<[String: Text?]>([:])
  }

  /// What was given for a name.
  struct Text: Hashable, Sendable {
    /// The argument or the variable.
    let name: String
    /// The text where it was one; an argument can have several, or none.
    let whole: String?
    let parts: [String]
  }

  // Their own descriptions show nothing; which values are secret is decided by name elsewhere.
  init(arguments: [String]) {
    layer = .arguments
    provider = CommandLineArgumentsProvider(arguments: arguments, secretsSpecifier: .all)
    self.arguments = arguments
  }

  init(variables: [String: String]) {
    layer = .variables
    provider = EnvironmentVariablesProvider(
      environmentVariables: variables, secretsSpecifier: .all)
    arguments = []
  }

  subscript(name: ConfigurationName) -> Text? {
    if let text = known.texts.withLock({ $0[name.id] }) { return text }
    let text = find(name)
    known.texts.withLock { $0[name.id] = .some(text) }
    return text
  }

  private func find(_ name: ConfigurationName) -> Text? {
    let key = AbsoluteConfigKey(name.parts)
    guard !name.id.isEmpty,
      let found = try? provider.value(forKey: key, type: .stringArray),
      case .stringArray(let parts) = found.value?.content
    else { return nil }
    return Text(
      name: found.encodedKey, whole: whole(key, found.encodedKey, parts), parts: parts)
  }

  private func whole(
    _ key: AbsoluteConfigKey, _ encoded: String, _ parts: [String]
  ) -> String? {
    if let found = try? provider.value(forKey: key, type: .string),
      case .string(let text) = found.value?.content
    {
      return text
    }
    // An argument is taken apart at its commas; whether it was one, the command line tells.
    let joined = parts.joined(separator: ",")
    return arguments.contains { $0 == joined || $0 == "\(encoded)=\(joined)" } ? joined : nil
  }
}
#endif
