package import KeepsakeSettings

/// The log and the values of a store at one time.
package struct SyncView: Sendable {
  package let log: SyncLog
  package let value: @Sendable (SettingsName) -> [UInt8]?
  private let allNames: @Sendable () -> Set<SettingsName>
  private let hasValue: @Sendable (SettingsName, [UInt8]) -> Bool

  /// - Parameter hasValue: Whether a value is what an engine has: others may write the same in another way.
  package init(
    log: SyncLog, names: @escaping @Sendable () -> Set<SettingsName>,
    value: @escaping @Sendable (SettingsName) -> [UInt8]?,
    hasValue: (@Sendable (SettingsName, [UInt8]) -> Bool)? = nil
  ) {
    self.log = log
    self.value = value
    allNames = names
    self.hasValue = hasValue ?? { value($0) == $1 }
  }

  /// Whether a value is what an engine has, as far as that can be read.
  func has(_ name: SettingsName, _ bytes: [UInt8]) -> Bool { hasValue(name, bytes) }

  /// The names of all values.
  ///
  /// - Complexity: O(*n*).
  package var names: Set<SettingsName> { allNames() }
}
