import KeepsakeSettings

extension SyncSnapshot {
  /// Whether another process of this machine has taken something newer since this was asked for; then there is nothing
  /// to be taken, and the engine was not set back.
  ///
  /// - Parameters:
  ///   - known: What is known of an engine now.
  ///   - before: What was known when it was asked for.
  func isOvertaken(by known: SyncPosition?, askedFor before: SyncPosition?) -> Bool {
    guard let known else { return before != nil }
    if known.cluster == cluster, known.revision <= revision { return false }
    guard let before, known.cluster == before.cluster, known.revision >= before.revision else {
      return true
    }
    return known.cluster == cluster && before.revision <= revision
  }
}

extension SyncLog {
  /// What is known of an engine; nil before everything of one was read.
  var position: SyncPosition? { cluster.map { SyncPosition(cluster: $0, revision: revision) } }
}
