#if Configuration
import KeepsakeBase
import KeepsakeCoding
import SystemPackage

/// The current layers, the types that were requested, and the tasks that wait for changes.
final class ConfigurationStore: Sendable {
  let secrets: ConfigurationSecrets
  let overridesFile: FilePath?
  private let reporter: ProblemReporter<ConfigurationError>
  private let state: Mutex<State>
  /// Counts the changes, and contains the tasks that wait for the next.
  let signal = ChangeSignal()

  private struct State {
    var layers: ConfigurationLayers
    var requested: [ConfigurationName: [Any.Type]] = [:]
    /// The names whose current values were reported as wrong.
    var reported: Set<ConfigurationName> = []
  }

  init(
    _ layers: ConfigurationLayers, _ secrets: ConfigurationSecrets, overridesFile: FilePath?,
    _ reporter: ProblemReporter<ConfigurationError>
  ) {
    self.secrets = secrets
    self.overridesFile = overridesFile
    self.reporter = reporter
    state = Mutex(State(layers: layers))
  }

  var current: (layers: ConfigurationLayers, version: UInt64) {
    state.withLock { ($0.layers, signal.version) }
  }

  // MARK: Reading

  /// A result, and the values that determine it.
  struct Reading<Value> {
    let result: Result<Value, ConfigurationErrors>
    let sources: Sources
  }

  /// The values that were read, and the names that were listed.
  struct Sources: Equatable {
    let read: [ConfigurationName: ConfigurationLayers.Content?]
    let listed: [ConfigurationName: [ConfigurationName]]
  }

  /// Decodes a type from the values of a name.
  func read<Value: Decodable>(
    _ type: Value.Type, _ name: ConfigurationName
  ) -> Reading<Value> {
    let session = DecodingSession(current.layers, secrets, overridesFile: overridesFile)
    let result = Result { () throws(ConfigurationErrors) in
      try session.decode(type, from: .name(name))
    }
    let requested = session.requested
    state.withLock { state in
      for requested in requested
      where !state.requested[requested.name, default: []].contains(where: { $0 == requested.type })
      {
        state.requested[requested.name, default: []].append(requested.type)
      }
    }
    return Reading(
      result: result, sources: Sources(read: session.read, listed: session.listed))
  }

  /// The types that were requested for a name, in this order, and those for the names inside it.
  func requestedTypes(
    of name: ConfigurationName
  ) -> (own: [Any.Type], inner: [(name: ConfigurationName, types: [Any.Type])]) {
    let prefix = name.id + "."
    return state.withLock { state in
      let inner = state.requested.filter { $0.key.id.hasPrefix(prefix) }
      return (state.requested[name] ?? [], inner.map { (name: $0.key, types: $0.value) })
    }
  }

  /// All names that were requested.
  var requestedNames: [ConfigurationName] { state.withLock { Array($0.requested.keys) } }

  // MARK: Changing

  /// Changes the layers; the caller must call ``resumeWaiters()`` afterwards.
  func change(_ body: (inout ConfigurationLayers) -> Void) {
    state.withLock { state in
      body(&state.layers)
      signal.increment()
      state.reported = []
    }
  }

  /// Resumes the tasks that wait; the caller must not hold a lock.
  func resumeWaiters() { signal.waiters.resumeAll() }

  /// Reports a problem that no caller receives as an error.
  func report(_ problem: ConfigurationError) { reporter.report(problem) }

  /// Reports a problem that occurs in each read, once until the layers change.
  func reportOnce(_ problem: ConfigurationError, of name: ConfigurationName) {
    if state.withLock({ $0.reported.insert(name).inserted }) { report(problem) }
  }
}
#endif
