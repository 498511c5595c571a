// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What the code that `@ObservableSettings` generates calls. An app calls none of it.

import KeepsakeCoding
public import KeepsakeSettings

extension SettingsStore {
  /// Moves settings that an earlier version of the app stored to where they are now, in one
  /// transaction. What goes wrong is reported, and kept.
  ///
  /// - Parameter keys: The keys that the earlier version stored; nothing is done if there are none.
  public func _migrate(_ keys: [String], _ body: (inout _SettingsMigration) -> Void) {
    guard keys.contains(where: { layer(of: SettingsKey<PropertyList.Value?>($0)) == .app }) else {
      return
    }
    do {
      try transaction { settings in
        var migration = _SettingsMigration(settings, of: self)
        body(&migration)
        settings = migration.finished
      }
    } catch let error as SettingsError {
      report(error)
    } catch {
      report(
        SettingsError(
          .notWritten, "settings of an earlier version cannot be converted",
          effect: "they were kept", cause: error))
    }
  }
}

extension SettingsStore {
  /// Reads a secret, which is `nil` if that fails.
  public func _secret<Value>(_ name: String, _ read: () throws -> Value?) -> Value? {
    do {
      return try read()
    } catch {
      report(
        SettingsError(
          .unavailable, "the secret cannot be read", effect: "the property is nil", key: name,
          cause: error))
      return nil
    }
  }

  /// Changes a secret, unless the one that is there cannot be read: it would be lost.
  public func _changeSecret(_ name: String, _ change: () throws -> Void) {
    do {
      try change()
    } catch {
      report(
        SettingsError(
          .notWritten, "the secret cannot be changed", effect: "it stays as it was", key: name,
          cause: error))
    }
  }
}

/// Settings that are being moved.
public struct _SettingsMigration {
  private let store: SettingsStore
  private var settings: SettingsStore.Transaction
  /// The keys that were converted, from which several settings may be made.
  private var converted: [String] = []

  init(_ settings: SettingsStore.Transaction, of store: SettingsStore) {
    self.settings = settings
    self.store = store
  }

  var finished: SettingsStore.Transaction {
    var settings = settings
    for key in converted { settings.remove(SettingsKey<PropertyList.Value?>(key)) }
    return settings
  }

  public mutating func rename<Value>(_ old: String, to key: SettingsKey<Value>) {
    settings.rename(old, to: key.name)
  }

  public mutating func convert<Old: SettingsValue, Value>(
    _ source: String, to key: SettingsKey<Value>, _ convert: (Old) throws -> Value?
  ) {
    self.convert(SettingsKey<Old?>(source), to: key, convert)
  }

  public mutating func convert<Old: RawRepresentable & Sendable, Value>(
    _ source: String, to key: SettingsKey<Value>, _ convert: (Old) throws -> Value?
  ) where Old.RawValue: SettingsValue {
    self.convert(SettingsKey<Old?>(source), to: key, convert)
  }

  public mutating func convert<Old: SettingsValue & RawRepresentable, Value>(
    _ source: String, to key: SettingsKey<Value>, _ convert: (Old) throws -> Value?
  ) where Old.RawValue: SettingsValue {
    self.convert(SettingsKey<Old?>(source), to: key, convert)
  }

  @_disfavoredOverload
  public mutating func convert<Old: Codable & Sendable, Value>(
    _ source: String, to key: SettingsKey<Value>, _ convert: (Old) throws -> Value?
  ) {
    self.convert(SettingsKey<Old?>(source), to: key, convert)
  }

  private mutating func convert<Old, Value>(
    _ old: SettingsKey<Old?>, to key: SettingsKey<Value>, _ convert: (Old) throws -> Value?
  ) {
    // What an administrator or an argument has set is not the app's own.
    guard store.layer(of: SettingsKey<PropertyList.Value?>(old.name)) == .app else { return }
    if old.name == key.name {
      // A value of the new type is unchanged.
      if (try? store.value(for: key)) != nil { return }
    } else if settings[SettingsKey<PropertyList.Value?>(key.name)] != nil {
      return
    }
    do {
      guard let stored = settings[old], let value = try convert(stored) else { return }
      settings[key] = value
      if old.name != key.name { converted.append(old.name) }
    } catch {
      store.report(
        SettingsError(
          .wrongType, "the value of an earlier version cannot be converted", effect: "it was kept",
          key: old.name, cause: error))
    }
  }
}
