package import KeepsakeSettings

/// The log and the values of a store at one time.
package struct SyncView: Sendable {
  package let log: SyncLog
  package let value: @Sendable (SettingsName) -> [UInt8]?
  private let allNames: @Sendable () -> Set<SettingsName>

  package init(
    log: SyncLog, names: @escaping @Sendable () -> Set<SettingsName>,
    value: @escaping @Sendable (SettingsName) -> [UInt8]?
  ) {
    self.log = log
    self.value = value
    allNames = names
  }

  /// The names of all values.
  ///
  /// - Complexity: O(*n*).
  package var names: Set<SettingsName> { allNames() }
}
