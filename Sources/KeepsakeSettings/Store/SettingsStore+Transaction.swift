import KeepsakeCoding

extension SettingsStore {
  /// Changes of several settings that are made atomically.
  public struct Transaction {
    /// Errors of stored values with another type, to be reported when no lock is held.
    final class Problems {
      var all: [SettingsError] = []
    }

    /// The names of the settings that were read.
    private final class Reads {
      var names: Set<SettingsName> = []
      /// Those of them that the body has only replaced.
      var replaced: Set<SettingsName> = []
      /// Those whose stored values could be read.
      var known: Set<SettingsName> = []
    }

    private let store: SettingsStore
    private let problems: Problems
    /// The values of the app's own settings that count instead of those that are stored; `nil` if it is these that are
    /// changed.
    private let base: [SettingsName: PropertyList.Value?]?
    private var pending: [SettingsName: SettingsFile.Change] = [:]
    /// The settings that were read; the changes may depend on their values.
    private let reads = Reads()
    /// The first change that could not be encoded.
    private(set) var failure: SettingsError?

    init(
      store: SettingsStore, problems: Problems, base: [SettingsName: PropertyList.Value?]? = nil
    ) {
      self.store = store
      self.problems = problems
      self.base = base
    }

    var changes: [SettingsFile.Change] {
      Array(pending.values)
    }

    /// The names that were read.
    var readNames: Set<SettingsName> { reads.names }

    /// Those of them that only what replaces them has read, to keep what its type does not know.
    var replacedNames: Set<SettingsName> { reads.replaced }

    /// What one of the app's own settings is instead of what is stored; `nil` if that counts.
    private func replacement(of name: SettingsName) -> PropertyList.Value?? {
      if let change = pending[name] { return .some(change.value) }
      return base?[name]
    }

    /// The value of a setting, including the transaction's changes so far; the default if there is
    /// none of its type.
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
      get {
        reads.names.insert(key.id)
        reads.replaced.remove(key.id)
        let (value, layer, _) = store.layers.resolve(key.id, after: replacement(of: key.id))
        guard let value else { return key.defaultValue }
        do throws(SettingsError) {
          let (decoded, problem) = try store.decode(value, from: layer, as: key)
          if let problem, store.layers.slot(named: key.id).isFirstReport() {
            problems.all.append(problem)
          }
          if layer == .app { reads.known.insert(key.id) }
          return decoded
        } catch {
          if store.layers.slot(named: key.id).isFirstReport() { problems.all.append(error) }
          return key.defaultValue
        }
      }
      set {
        let stored: PropertyList.Value?
        do {
          stored = try key.coding.encodeChecked(newValue)
        } catch {
          failure = failure ?? store.unencodable(key.id, error)
          return
        }
        change(key, to: stored)
      }
    }

    /// The stored form of one of the app's own settings, of any type; `nil` removes it.
    subscript(own name: SettingsName) -> PropertyList.Value? {
      get {
        reads.names.insert(name)
        reads.replaced.remove(name)
        if let value = replacement(of: name) { return value }
        return store.app.value(of: name).value
      }
      set {
        pending[name] = SettingsFile.Change(name: name, value: newValue)
      }
    }

    /// Drops the changes of those of the app's own settings that already had a value.
    ///
    /// - Returns: The settings that are added, and those whose changes were dropped.
    mutating func dropChangesOfExisting() -> (added: [SettingsName], kept: [SettingsName]) {
      let kept = pending.keys.filter { store.app.value(of: $0).value != nil }
      for name in kept {
        reads.names.insert(name)
        pending[name] = nil
      }
      return (pending.filter { $0.value.value != nil }.map(\.key), kept)
    }

    /// Removes a setting from the app's own settings.
    public mutating func remove<Value>(_ key: SettingsKey<Value>) {
      change(key, to: nil)
    }

    /// Changes a setting, and keeps what its type does not know of the value that is replaced.
    private mutating func change<Value>(_ key: SettingsKey<Value>, to new: PropertyList.Value?) {
      let type = ObjectIdentifier(Value.self)
      if pending[key.id].map({ $0.type == type })
        ?? (base == nil && store.app.knows(key.id, as: type))
      {
        pending[key.id] = SettingsFile.Change(name: key.id, value: new, type: type)
        return
      }
      // The app's own earlier change need not be preserved.
      let isReadable = reads.known.contains(key.id) || pending[key.id]?.type != nil
      let isOnlyReplaced =
        !reads.names.contains(key.id) || reads.replaced.contains(key.id)
      defer { if isOnlyReplaced { reads.replaced.insert(key.id) } }
      do throws(SettingsError) {
        pending[key.id] = try store.change(
          of: key, to: new, replacing: self[own: key.id], isReadable: isReadable)
      } catch {
        failure = failure ?? error
      }
    }

    /// Renames one of the app's own settings, unless the new name is already in use.
    ///
    /// - Returns: Whether the setting was renamed.
    @discardableResult
    public mutating func rename(_ old: String, to new: String) -> Bool {
      let (old, new) = (SettingsName(old), SettingsName(new))
      guard let value = self[own: old], self[own: new] == nil else { return false }
      self[own: new] = value
      self[own: old] = nil
      return true
    }
  }
}
