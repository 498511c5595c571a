/// Where a setting's value comes from; of several that have one, the first counts.
public enum SettingsLayer: Hashable, Sendable {
  /// The command line that started the process: `-key value`.
  case arguments
  /// What an administrator decided for the app.
  case managed
  /// What the app itself keeps.
  case app
  /// What a group of apps keeps, by the group's name.
  case suite(String)
  /// What all apps of the user share.
  case global
  /// What the app registered for when nothing is kept.
  case registered
}
