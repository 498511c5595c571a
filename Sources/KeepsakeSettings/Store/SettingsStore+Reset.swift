import KeepsakeCoding

extension SettingsStore {
  /// The settings that a reset removed, to undo it.
  ///
  /// ```swift
  /// let reset = try store.reset(prefix: "editor.")
  /// try reset.undo()
  /// ```
  public struct Reset: Sendable {
    fileprivate let store: SettingsStore
    fileprivate let removed: [(name: SettingsName, value: PropertyList.Value)]

    /// Stores the removed values again, atomically.
    ///
    /// A setting that has a new value keeps it.
    ///
    /// - Throws: ``SettingsError`` if the changes cannot be written; the settings are then unchanged.
    public func undo() throws(SettingsError) {
      try store.change { settings in
        for (name, value) in removed where settings[own: name] == nil {
          settings[own: name] = value
        }
      }
    }
  }
}

extension SettingsStore {
  /// Removes settings from the app's own settings, atomically, so that they have their defaults again.
  ///
  /// - Returns: What was removed, to undo the reset.
  /// - Throws: ``SettingsError`` if the changes cannot be written; the settings are then unchanged.
  @discardableResult
  public func reset<First, each Rest>(
    _ first: SettingsKey<First>, _ rest: repeat SettingsKey<each Rest>
  ) throws(SettingsError) -> SettingsStore.Reset {
    try change { settings in
      var names = [first.id]
      for key in repeat each rest { names.append(key.id) }
      let removed = settings.values(of: names)
      settings.remove(first)
      for key in repeat each rest { settings.remove(key) }
      return SettingsStore.Reset(store: self, removed: removed)
    }
  }

  /// Removes all of the app's own settings whose keys begin with a prefix, atomically, so that they
  /// have their defaults again.
  ///
  /// The version that ``migrate(_:)`` stored stays, and what ``importOnce(from:renaming:acceptsDamage:)``
  /// imported is not imported again.
  ///
  /// - Parameter prefix: The beginning of the keys; by default all settings are removed.
  /// - Returns: What was removed, to undo the reset.
  /// - Throws: ``SettingsError`` if the changes cannot be written; the settings are then unchanged.
  /// - Complexity: O(*n*) in the number of stored settings.
  @discardableResult
  public func reset(prefix: String = "") throws(SettingsError) -> SettingsStore.Reset {
    try change { settings in
      let names = app.all.keys.filter { $0.hasPrefix(prefix) && !Self.isReserved($0) }
      let removed = settings.values(of: names)
      for (name, _) in removed { settings[own: name] = nil }
      return SettingsStore.Reset(store: self, removed: removed)
    }
  }

  /// Changes several settings atomically with a body that throws nothing.
  fileprivate func change<Result>(
    _ body: (inout SettingsStore.Transaction) -> Result
  ) throws(SettingsError) -> Result {
    do {
      return try transaction(body)
    } catch {
      // Only the body's errors have other types.
      throw error as! SettingsError
    }
  }
}

extension SettingsStore.Transaction {
  /// Those of the app's own settings that are stored.
  fileprivate func values(
    of names: [SettingsName]
  ) -> [(name: SettingsName, value: PropertyList.Value)] {
    names.compactMap { name in self[own: name].map { (name, $0) } }
  }
}
