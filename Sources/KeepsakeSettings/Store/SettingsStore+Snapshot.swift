public import KeepsakeCoding

extension SettingsStore {
  /// The values of an app's settings at one moment.
  ///
  /// ```swift
  /// let settings = store.snapshot()
  /// draw(settings[.width], settings[.height])
  /// ```
  ///
  /// No change is made between two reads: after a transaction, a snapshot contains all of its changes
  /// or none. Later changes of the store do not change it. The app's own settings are of one moment;
  /// those of other layers, which others write, of one moment each.
  public struct Snapshot: Sendable {
    private let store: SettingsStore
    private let layers: [(layer: SettingsLayer, values: SettingsContents)]

    init(of store: SettingsStore) {
      self.store = store
      layers = store.layers.snapshot
    }

    /// The value of a setting, or its default if none is stored.
    ///
    /// If the stored value has another type, this returns the default and reports a problem.
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
      let (value, layer) = effective(key.id)
      return store.decode(value, from: layer, of: store.layers.slot(named: key.id), as: key)
    }

    /// A setting with different values in two snapshots.
    public struct Change: Sendable, Equatable {
      /// The setting's key.
      public var key: String
      /// The stored form of the earlier value; `nil` if there was none.
      public var old: PropertyList.Value?
      /// The stored form of the later value; `nil` if there is none.
      public var new: PropertyList.Value?
    }

    /// Compares the settings with those of an earlier moment.
    ///
    /// - Returns: The settings whose values differ in any byte, sorted by key. Defaults of keys are not
    ///   stored and not compared.
    /// - Complexity: O(*n*) in the number of settings, and O(*m*) in the number of recent changes if
    ///   the whole property list was not read between the two.
    public func changes(since earlier: SettingsStore.Snapshot) -> [Change] {
      var names: Set<SettingsName> = []
      for layer in Set((layers + earlier.layers).map(\.layer)) {
        values(of: layer).addNames(mayDifferFrom: earlier.values(of: layer), to: &names)
      }
      let changes = names.compactMap { name -> Change? in
        let (old, new) = (earlier.effective(name).value, effective(name).value)
        return old.isIdentical(to: new) ? nil : Change(key: name.string, old: old, new: new)
      }
      return changes.sorted { PropertyList.precedes($0.key, $1.key) }
    }

    /// The value of the first layer that has one.
    private func effective(
      _ name: SettingsName
    ) -> (value: PropertyList.Value?, layer: SettingsLayer?) {
      for (layer, values) in layers {
        if let value = values[name] { return (value, layer) }
      }
      return (nil, nil)
    }

    private func values(of layer: SettingsLayer) -> SettingsContents {
      layers.first { $0.layer == layer }?.values ?? SettingsContents()
    }
  }
}
