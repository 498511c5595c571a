import KeepsakeSettings

extension SyncKey {
  /// What an engine has a setting under.
  init(_ name: SettingsName) { self = .value(Array(name.string.utf8)) }

  /// The name of a setting; nil for others, and if it is not UTF-8, which no store has written.
  var setting: SettingsName? {
    guard case .value(let key) = self else { return nil }
    return String(validating: key, as: UTF8.self).map(SettingsName.init)
  }
}
