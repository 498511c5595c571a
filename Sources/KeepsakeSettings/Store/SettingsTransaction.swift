import KeepsakeCoding

/// Changes of several settings that are made in one step.
public struct SettingsTransaction {
  private let stored: (String) -> PropertyList.Value?
  private var pending: [String: PropertyList.Value?] = [:]
  /// The first change that could not be encoded.
  private(set) var failure: SettingsError?

  init(stored: @escaping (String) -> PropertyList.Value?) { self.stored = stored }

  var changes: [SettingsFile.Change] {
    pending.map { (name: SettingsName($0.key), value: $0.value) }
  }

  /// The value of a setting as the transaction sees it: the default where none of its type is there.
  public subscript<Value>(key: SettingsKey<Value>) -> Value {
    get {
      guard let value = self[stored: key.name] else { return key.defaultValue }
      return (try? key.coding.decode(value)) ?? key.defaultValue
    }
    set {
      do {
        pending[key.name] = .some(try key.coding.encode(newValue))
      } catch {
        failure =
          failure
          ?? SettingsError(
            .unencodable, "the value cannot be kept in a property list; nothing was changed",
            key: key.name, cause: error)
      }
    }
  }

  /// The stored form of a setting, of whatever type; `nil` removes it.
  subscript(stored name: String) -> PropertyList.Value? {
    get {
      if let value = pending[name] { return value }
      return stored(name)
    }
    set { pending[name] = .some(newValue) }
  }

  /// Removes a setting.
  public mutating func remove<Value>(_ key: SettingsKey<Value>) {
    self[stored: key.name] = nil
  }

  /// Gives a setting another name, unless something has that name already.
  ///
  /// - Returns: Whether there was anything to rename.
  @discardableResult
  public mutating func rename(_ old: String, to new: String) -> Bool {
    guard let value = self[stored: old], self[stored: new] == nil else { return false }
    self[stored: new] = value
    self[stored: old] = nil
    return true
  }
}
