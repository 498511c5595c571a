import KeepsakeCoding

/// Changes of several settings that are made in one step.
public struct SettingsTransaction {
  /// The stored values of another type that were met, to be reported when no lock is held.
  final class Faults {
    var all: [SettingsError] = []
  }

  /// The names of settings that were read.
  private final class Reads {
    var names: Set<String> = []
  }

  private let store: SettingsStore
  private let faults: Faults
  private var pending: [String: PropertyList.Value?] = [:]
  /// The settings that were read, of whose values the changes may be made.
  private let reads = Reads()
  /// The first change that could not be encoded.
  private(set) var failure: SettingsError?

  init(store: SettingsStore, faults: Faults) {
    self.store = store
    self.faults = faults
  }

  var changes: [SettingsFile.Change] {
    pending.map { (name: SettingsName($0.key), value: $0.value) }
  }

  /// The names that were read and not changed.
  var readNames: [SettingsName] {
    reads.names.subtracting(pending.keys).map { SettingsName($0) }
  }

  /// The value of a setting as it will be when the changes so far are made: the default where none
  /// of its type is there.
  public subscript<Value>(key: SettingsKey<Value>) -> Value {
    get {
      reads.names.insert(key.name)
      let (value, layer, _) = store.layers.resolve(key.id, after: pending[key.name])
      guard let value else { return key.defaultValue }
      do throws(SettingsError) {
        return try store.decode(value, from: layer, as: key)
      } catch {
        if store.layers.slot(named: key.id).isFirstReport() { faults.all.append(error) }
        return key.defaultValue
      }
    }
    set {
      do {
        pending[key.name] = .some(try key.coding.encodeChecked(newValue))
      } catch {
        failure = failure ?? store.unencodable(key.id, error)
      }
    }
  }

  /// The stored form of one of the app's own settings, of whatever type; `nil` removes it.
  subscript(own name: String) -> PropertyList.Value? {
    get {
      reads.names.insert(name)
      return pending[name] ?? store.app.value(of: SettingsName(name)).value
    }
    set { pending[name] = .some(newValue) }
  }

  /// Removes a setting.
  public mutating func remove<Value>(_ key: SettingsKey<Value>) {
    self[own: key.name] = nil
  }

  /// Gives one of the app's own settings another name, unless one has that name already.
  ///
  /// - Returns: Whether there was anything to rename.
  @discardableResult
  public mutating func rename(_ old: String, to new: String) -> Bool {
    guard let value = self[own: old], self[own: new] == nil else { return false }
    self[own: new] = value
    self[own: old] = nil
    return true
  }
}
