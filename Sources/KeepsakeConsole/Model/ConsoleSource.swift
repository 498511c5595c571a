import KeepsakeCoding
import KeepsakeSettings

/// A store that the console shows, and whose values can be changed.
struct ConsoleSource: Sendable {
  /// Names the source among all.
  let id: String
  let section: String
  let group: String?
  let store: SettingsStore

  /// All that the store keeps now.
  func rows() -> [ConsoleRow] {
    store.names.compactMap { name in
      let key = Self.key(name)
      guard let value = store[key] else { return nil }
      let layer = store.layer(of: key)
      return ConsoleRow(
        id: "\(id)/\(name)", section: section, group: group, name: name,
        text: SettingText.text(of: value), type: SettingType(of: value),
        layer: layer == .app ? nil : layer.map { "\($0)" })
    }
  }

  func value(of name: String) -> PropertyList.Value? { store[Self.key(name)] }

  func set(_ value: PropertyList.Value?, for name: String) throws(SettingsError) {
    try store.set(value, for: Self.key(name))
  }

  private static func key(_ name: String) -> SettingsKey<PropertyList.Value?> { SettingsKey(name) }
}
