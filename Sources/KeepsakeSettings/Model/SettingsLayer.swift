/// The source of a setting's value, in order of precedence.
@nonexhaustive public enum SettingsLayer: Hashable, Sendable {
  /// The command line that started the process: `-key value`.
  case arguments
  /// The administrator's settings for the app.
  case managed
  /// The app's own settings.
  case app
  /// The settings of a group of apps, with the group's name.
  case suite(String)
  /// The settings that all of the user's apps share.
  case global
  /// The defaults that the app registered.
  case registered
}
