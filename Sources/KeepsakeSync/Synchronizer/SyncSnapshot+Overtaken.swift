import KeepsakeSettings

extension SyncSnapshot {
  /// Whether another process of this machine has taken something newer since this was asked for; then there is nothing
  /// to be taken, and the engine was not set back.
  ///
  /// - Parameter before: What the log had when it was asked for.
  func isOvertaken(
    by log: SyncLog, askedFor before: (cluster: String?, revision: UInt64)
  ) -> Bool {
    if log.cluster == cluster, log.revision <= revision { return false }
    if log.cluster != before.cluster || log.revision < before.revision { return true }
    return log.cluster == cluster && before.revision <= revision
  }
}
