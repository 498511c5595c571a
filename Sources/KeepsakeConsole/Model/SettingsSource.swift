#if Console
import KeepsakeCoding
import KeepsakeSettings

/// A store of settings: the app's own or a window's.
struct SettingsSource: ConsoleSource {
  let id: String
  let section: String
  let group: String?
  let store: SettingsStore

  func rows() -> [ConsoleRow] {
    let log = store.syncLog
    let rows = store.names.compactMap { name -> ConsoleRow? in
      guard let value = store[Self.key(name)] else { return nil }
      let layer = store.layer(of: Self.key(name))
      var row = ConsoleRow(
        id: "\(id)/\(name)", section: section, group: group, name: SettingText.visible(name),
        text: "", kind: SettingType(of: value).rawValue,
        layer: layer == .app ? nil : layer.map { "\($0)" }, isRemovable: true)
      row.show(SettingText.text(of: value), isEditable: true)
      row.isToBeSent = log?.changes[SettingsName(name)] != nil
      return row
    }
    let state = log.map { log in
      ConsoleRow(
        sharing: log, count: log.changes.count, id: "\(id) shared", section: section, group: group)
    }
    return (state.map { [$0] } ?? []) + rows
  }

  func value(of name: String) -> PropertyList.Value? { store[Self.key(name)] }

  func set(_ text: String, type: SettingType?, for name: String) throws(ConsoleRefusal) {
    let type = type ?? value(of: name).map { SettingType(of: $0) } ?? .string
    guard let new = type.value(of: text) else {
      let shown = SettingText.shortened(SettingText.visible(text))
      throw ConsoleRefusal("'\(shown)' is not of the type \(type.name); nothing was changed.")
    }
    try restore(new, for: name)
  }

  func restore(_ value: PropertyList.Value?, for name: String) throws(ConsoleRefusal) {
    do throws(SettingsError) {
      try store.set(value, for: Self.key(name))
    } catch {
      throw ConsoleRefusal("\(error)")
    }
  }

  func words(for value: PropertyList.Value, of name: String) -> String {
    SettingText.line(of: value)
  }

  func detail(of name: String) -> ConsoleDetail? {
    guard let value = value(of: name) else { return nil }
    let text = SettingText.text(of: value)
    var detail = ConsoleDetail(text)
    detail.isEditable = detail.text == text
    return detail
  }

  private static func key(_ name: String) -> SettingsKey<PropertyList.Value?> { SettingsKey(name) }
}
#endif
