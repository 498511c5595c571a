#if Configuration
import Configuration
import KeepsakeBase

/// The values on the command line or in the environment's variables, which are texts.
struct TextLayer: Sendable {
  let layer: ConfigurationLayer
  private let provider: any ConfigProvider
  private let arguments: [String]
  private let cache = Cache()

  /// The results of previous lookups.
  private final class Cache: Sendable {
    let texts = Mutex<[String: Text?]>([:])
  }

  /// The text of an argument or a variable.
  struct Text: Hashable, Sendable {
    /// The argument or the variable.
    let name: String
    /// The text if there is exactly one; an argument can have several, or none.
    let whole: String?
    let parts: [String]
  }

  // The providers' descriptions contain no values; `ConfigurationSecrets` decides what is secret.
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
    if let text = cache.texts.withLock({ $0[name.id] }) { return text }
    let text = find(name)
    cache.texts.withLock { $0[name.id] = .some(text) }
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
    // The provider splits an argument at its commas; the command line contains the original.
    let joined = parts.joined(separator: ",")
    return arguments.contains { $0 == joined || $0 == "\(encoded)=\(joined)" } ? joined : nil
  }
}
#endif
