#if Configuration
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The layers as they are now, and all who wait for another state of them.
final class ConfigurationStore: Sendable {
  let secrets: ConfigurationSecrets
  let overridesFile: FilePath?
  private let report: @Sendable (ConfigurationError) -> Void
  private let state: Mutex<State>
  /// Counts the changes, and has the tasks that wait for the next.
  let signal = ChangeSignal()

  private struct State {
    var layers: ConfigurationLayers
    var asked: [ConfigurationName: [Any.Type]] = [:]
    /// The names whose present values were told to be wrong.
    var told: Set<ConfigurationName> = []
  }

  init(
    _ layers: ConfigurationLayers, _ secrets: ConfigurationSecrets, overridesFile: FilePath?,
    report: @escaping @Sendable (ConfigurationError) -> Void
  ) {
    self.secrets = secrets
    self.overridesFile = overridesFile
    self.report = report
    state = Mutex(State(layers: layers))
  }

  var current: (layers: ConfigurationLayers, version: UInt64) {
    state.withLock { ($0.layers, signal.version) }
  }

  // MARK: Reading

  /// What a reading gave, and by which values it is what it is.
  struct Reading<Value> {
    let result: Result<Value, ConfigurationErrors>
    let sources: Sources
  }

  /// The values that a reading asked for, and the names that it listed.
  struct Sources: Equatable {
    let read: [ConfigurationName: ConfigurationLayers.Content?]
    let listed: [ConfigurationName: [ConfigurationName]]
  }

  /// Decodes a type from what has a name.
  func read<Value: Decodable>(
    _ type: Value.Type, _ name: ConfigurationName, from layers: ConfigurationLayers? = nil
  ) -> Reading<Value> {
    let session = DecodingSession(
      layers ?? current.layers, secrets, overridesFile: overridesFile)
    let result = Result { () throws(ConfigurationErrors) in
      try session.decode(type, from: .name(name))
    }
    let asked = session.asked
    state.withLock { state in
      for asked in asked
      where !state.asked[asked.name, default: []].contains(where: { $0 == asked.type }) {
        state.asked[asked.name, default: []].append(asked.type)
      }
    }
    return Reading(
      result: result, sources: Sources(read: session.read, listed: session.listed))
  }

  /// The types that a name was asked for as, in the order in which it was, and those of all names of
  /// values in its own.
  func askedTypes(
    of name: ConfigurationName
  ) -> (own: [Any.Type], inner: [(name: ConfigurationName, types: [Any.Type])]) {
    let prefix = name.id + "."
    return state.withLock { state in
      let inner = state.asked.filter { $0.key.id.hasPrefix(prefix) }
      return (state.asked[name] ?? [], inner.map { (name: $0.key, types: $0.value) })
    }
  }

  /// All names that were asked for.
  var askedNames: [ConfigurationName] { state.withLock { Array($0.asked.keys) } }

  // MARK: Changing

  /// Takes other layers; ``wake()`` is to follow.
  func change(_ body: (inout ConfigurationLayers) -> Void) {
    state.withLock { state in
      body(&state.layers)
      signal.increment()
      state.told = []
    }
  }

  /// Resumes the tasks that wait; called with no lock held.
  func wake() { signal.waiters.resumeAll() }

  /// Tells of a fault that no caller hears of; called with no lock held.
  func tell(_ problem: ConfigurationError) { report(problem) }

  /// Tells of a fault that is met with each reading, once for each state of the layers.
  func tellOnce(_ problem: ConfigurationError, of name: ConfigurationName) {
    if state.withLock({ $0.told.insert(name).inserted }) { report(problem) }
  }
}
#endif
