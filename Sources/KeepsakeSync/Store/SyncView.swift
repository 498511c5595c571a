package import KeepsakeSettings

/// The log and the values of a store as they were on its disk at one time.
///
/// Only what is on disk is sent: otherwise a power cut could take back a change that was sent and leave an older
/// one of the same value, which the origin's record then says was made.
package struct SyncView: Sendable {
  package let log: SyncLog
  package let value: @Sendable (SettingsName) -> [UInt8]?

  package init(log: SyncLog, value: @escaping @Sendable (SettingsName) -> [UInt8]?) {
    self.log = log
    self.value = value
  }
}
