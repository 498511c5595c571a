#if Console
import KeepsakeSettings

/// What the console says to a page; absent is what did not change.
struct ConsoleMessage: Codable, Sendable {
  var app: String?
  /// Rows that are new or have another value.
  var rows: [ConsoleRow] = []
  /// The identities of rows that are gone.
  var removed: [String] = []
  /// What undoing the last edit would do; empty where there is none.
  var undoing: String?
  /// Why something that was asked for was not done.
  var refusal: String?
  /// The row of which more was asked for.
  var shown: String?
  /// More about that row.
  var text: String?
  /// Whether the text is that row's value, which can be changed.
  var isEditable: Bool?
}

/// What a page asks for.
struct ConsoleRequest: Codable, Sendable {
  enum Action: String, Codable, Sendable {
    case set, remove, undo, recover, show
  }

  var action: Action
  var id: String?
  var text: String?
  var type: SettingType?
}
#endif
