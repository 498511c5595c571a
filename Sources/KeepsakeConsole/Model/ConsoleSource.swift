#if Console
import KeepsakeCoding
import KeepsakeSettings

/// Something the console shows whose values can be changed.
protocol ConsoleSource: Sendable {
  /// Names the source among all.
  var id: String { get }

  /// All that it has now.
  func rows() -> [ConsoleRow]

  /// What is kept under a name, so that it can be put back.
  func value(of name: String) -> PropertyList.Value?

  /// Changes a value to what a text stands for.
  ///
  /// - Throws: ``ConsoleRefusal`` where it stands for none of the value's type; nothing changed then.
  func set(_ text: String, type: SettingType?, for name: String) throws(ConsoleRefusal)

  /// Puts a value back, or removes it.
  func restore(_ value: PropertyList.Value?, for name: String) throws(ConsoleRefusal)

  /// A value in words, as far as it may be shown.
  func words(for value: PropertyList.Value, of name: String) -> String

  /// More about a name, where there is more.
  func detail(of name: String) -> ConsoleDetail?
}
#endif
