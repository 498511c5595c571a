/// One thing that an app keeps, as the console shows it.
struct ConsoleRow: Codable, Hashable, Sendable {
  /// Names the row among all.
  var id: String
  /// What kind of thing keeps it: settings, a scene, documents.
  var section: String
  /// Which of them, where there are several.
  var group: String?
  var name: String
  var text: String
  /// The type of a value that can be changed.
  var type: SettingType?
  /// Where a value comes from, where that is not the app itself.
  var layer: String?
  /// Whether it is a file that was set aside and may be brought back.
  var isRecoverable: Bool?
  /// Whether its whole text can be asked for.
  var isDocument: Bool?
}
