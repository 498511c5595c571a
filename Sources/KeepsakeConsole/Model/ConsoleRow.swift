/// One value that an app keeps, as the console shows it.
struct ConsoleRow: Codable, Hashable, Sendable {
  /// Names the row among all.
  var id: String
  /// What kind of thing keeps the value: settings, a scene.
  var section: String
  /// Which of them, where there are several.
  var group: String?
  var name: String
  var text: String
  var type: SettingType
  /// Where the value comes from, where that is not the app itself.
  var layer: String?
}
