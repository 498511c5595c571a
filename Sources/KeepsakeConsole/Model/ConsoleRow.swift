#if Console
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
  /// The type of a value.
  var kind: String?
  /// Where a value comes from, where that is not the app itself.
  var layer: String?
  var isEditable = false
  var isRemovable = false
  /// Whether there is more to be shown of it: a document's text, what all layers say.
  var hasDetail = false
  /// Whether it is a file that was set aside and may be brought back.
  var isRecoverable = false
}
#endif
