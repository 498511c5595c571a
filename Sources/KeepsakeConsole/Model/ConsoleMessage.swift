#if Console
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
  /// A document whose text was asked for.
  var shown: String?
  /// The text of that document.
  var text: String?
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
