/// What keeps settings in agreement with those of other machines.
package protocol SettingsSharing: AnyObject, Sendable {
  /// Ends that, since the settings are released.
  func end()
}
