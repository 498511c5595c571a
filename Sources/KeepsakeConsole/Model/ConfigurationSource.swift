#if Console
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeSettings
import SystemPackage

/// An app's configuration, whose values are overridden, never changed where they come from.
struct ConfigurationSource: ConsoleSource {
  let configuration: EnvironmentConfiguration
  let id = "configuration"

  func rows() -> [ConsoleRow] { problems + values }

  /// The files that cannot be read, whose previous values are shown.
  private var problems: [ConsoleRow] {
    configuration.unreadableFiles.map { problem in
      var row = ConsoleRow(
        id: "problem/\(problem.file?.string ?? "")", section: "Problems",
        name: SettingText.visible(problem.file?.lastComponent?.string ?? "configuration"), text: "")
      row.show("\(problem)")
      return row
    }
  }

  private var values: [ConsoleRow] {
    configuration.keys.compactMap { key in
      guard let value = configuration.explain(key).values.first(where: \.counts) else { return nil }
      var row = ConsoleRow(
        id: "\(id)/\(key)", section: "Configuration", group: configuration.environment,
        name: SettingText.visible(key), text: "", layer: "\(value.layer)",
        isRemovable: value.layer == .overrides, hasDetail: true)
      row.show(value.text, isEditable: true)
      row.problem = configuration.typeError(of: key).map { "not used by the app: \($0)" }
      return row
    }
  }

  func value(of name: String) -> PropertyList.Value? { configuration.overrides[name] }

  func set(_ text: String, type: SettingType?, for name: String) throws(ConsoleRefusal) {
    do throws(ConfigurationError) {
      try configuration.setOverride(text: text, for: name)
    } catch {
      throw ConsoleRefusal("\(error)")
    }
  }

  func restore(_ value: PropertyList.Value?, for name: String) throws(ConsoleRefusal) {
    do throws(ConfigurationError) {
      if let value {
        try configuration.setOverride(value, for: name)
      } else {
        try configuration.removeOverride(for: name)
      }
    } catch {
      throw ConsoleRefusal("\(error)")
    }
  }

  // It may be a secret.
  func words(for value: PropertyList.Value, of name: String) -> String { "its last override" }

  func detail(of name: String) -> ConsoleDetail? {
    let problem = configuration.typeError(of: name).map { "\nNot used by the app: \($0)" } ?? ""
    return ConsoleDetail(configuration.explain(name).description + problem)
  }
}
#endif
