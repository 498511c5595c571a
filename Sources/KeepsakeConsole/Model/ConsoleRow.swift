#if Console
import KeepsakeSettings

/// One thing that an app keeps, as the console shows it.
struct ConsoleRow: Codable, Hashable, Sendable {
  /// Names the row among all.
  var id: String
  /// What kind of thing keeps it: settings, a scene, documents.
  var section: String
  /// Which of them, where there are several.
  var group: String?
  var name: String
  /// The value in one line, in which every character is visible; only the beginning if it is long.
  var text: String
  /// A number that is different if the value is, of which the text may be only the beginning.
  var digest = 0
  /// The type of a value.
  var kind: String?
  /// Where a value comes from, where that is not the app itself.
  var layer: String?
  /// Whether other machines, which share the value, do not have it yet.
  var isToBeSent = false
  var isEditable = false
  var isRemovable = false
  /// The reason that the app does not use the value.
  var problem: String?
  /// Whether there is more to be shown of it: a document's text, what all layers say.
  var hasDetail = false
  /// Whether it is a quarantined file that may be recovered.
  var isRecoverable = false
}

extension ConsoleRow {
  /// Says how far what several machines share agrees.
  ///
  /// - Parameter count: How much of it other machines do not have yet.
  init(sharing log: SyncLog, count: Int, id: String, section: String, group: String?) {
    let revision = log.cluster == nil ? "not joined yet" : "revision \(log.revision)"
    self.init(
      id: id, section: section, group: group, name: "Shared with other machines",
      text: "\(revision), \(count) not sent")
  }

  /// Shows a value.
  ///
  /// - Parameter isEditable: Whether it can be changed. It can only be where it is shown in full if its text is
  ///   not shown exactly here.
  mutating func show(_ value: String, isEditable: Bool = false) {
    text = SettingText.shortened(SettingText.visible(value))
    digest = value.hashValue
    self.isEditable = isEditable && text == value
    if text != value { hasDetail = true }
  }
}

/// More about a row.
struct ConsoleDetail: Sendable {
  /// In several lines, in which every character is visible.
  let text: String
  /// Whether the text is exactly the value, which can be changed.
  var isEditable = false

  init(_ text: String) { self.text = SettingText.visible(text, isKeepingLines: true) }
}
#endif
