import KeepsakeCoding

/// Changes of several settings that are made atomically.
public struct SettingsTransaction {
  /// Errors of stored values with another type, to be reported when no lock is held.
  final class Problems {
    var all: [SettingsError] = []
  }

  /// The names of the settings that were read.
  private final class Reads {
    var names: Set<SettingsName> = []
  }

  private let store: SettingsStore
  private let problems: Problems
  private var pending: [SettingsName: PropertyList.Value?] = [:]
  /// The settings that were read; the changes may depend on their values.
  private let reads = Reads()
  /// The first change that could not be encoded.
  private(set) var failure: SettingsError?

  init(store: SettingsStore, problems: Problems) {
    self.store = store
    self.problems = problems
  }

  var changes: [SettingsFile.Change] {
    pending.map { (name: $0.key, value: $0.value) }
  }

  /// The names that were read and not changed.
  var readNames: [SettingsName] {
    Array(reads.names.subtracting(pending.keys))
  }

  /// The value of a setting, including the transaction's changes so far; the default if there is
  /// none of its type.
  public subscript<Value>(key: SettingsKey<Value>) -> Value {
    get {
      reads.names.insert(key.id)
      let (value, layer, _) = store.layers.resolve(key.id, after: pending[key.id])
      guard let value else { return key.defaultValue }
      do throws(SettingsError) {
        return try store.decode(value, from: layer, as: key)
      } catch {
        if store.layers.slot(named: key.id).isFirstReport() { problems.all.append(error) }
        return key.defaultValue
      }
    }
    set {
      do {
        pending[key.id] = .some(try key.coding.encodeChecked(newValue))
      } catch {
        failure = failure ?? store.unencodable(key.id, error)
      }
    }
  }

  /// The stored form of one of the app's own settings, of any type; `nil` removes it.
  subscript(own key: String) -> PropertyList.Value? {
    get {
      let name = SettingsName(key)
      reads.names.insert(name)
      return pending[name] ?? store.app.value(of: name).value
    }
    set { pending[SettingsName(key)] = .some(newValue) }
  }

  /// Removes a setting from the app's own settings.
  public mutating func remove<Value>(_ key: SettingsKey<Value>) {
    self[own: key.name] = nil
  }

  /// Renames one of the app's own settings, unless the new name is already in use.
  ///
  /// - Returns: Whether the setting was renamed.
  @discardableResult
  public mutating func rename(_ old: String, to new: String) -> Bool {
    guard let value = self[own: old], self[own: new] == nil else { return false }
    self[own: new] = value
    self[own: old] = nil
    return true
  }
}
