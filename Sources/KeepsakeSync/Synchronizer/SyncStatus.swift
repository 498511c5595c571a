/// How far a store is in agreement with its engine.
package enum SyncStatus: Hashable, Sendable {
  /// The engine does not answer; changes are kept and sent later.
  case offline(waiting: Int)
  /// What others have changed, or what was changed here, is on its way.
  case catchingUp(waiting: Int)
  /// Everything is the same here and there, as far as is known.
  case current
}
