/// One namespace of a store that several machines share.
///
/// An engine throws ``SyncError`` and nothing else, and ends at once when its task is canceled. Time without an
/// answer is the caller's to measure. `SyncEngineConformance` in KeepsakeTesting checks that an engine does what is
/// said here.
public protocol SyncEngine: Sendable {
  /// How much one commit may contain.
  var limits: SyncLimits { get }

  /// Returns everything in the namespace but blobs, at a revision that has all commits that were acknowledged before.
  ///
  /// What it has is as durable as what is acknowledged.
  ///
  /// - Complexity: O(*n*) in the number of items.
  func read() async throws(SyncError) -> SyncSnapshot

  /// Makes all writes at once, durably, if the conditions are met.
  ///
  /// The answer to one that is not made says what its keys have, not before it was asked for; what values have is no
  /// older than what records of origins have, and all is as durable as what is acknowledged. That is also how single
  /// keys are read: by a commit without writes, on the condition of a revision that no key has.
  func perform(_ commit: SyncCommit) async throws(SyncError) -> SyncCommit.Result

  /// Reports where the engine is, then every commit after a revision, in order, until the connection ends.
  ///
  /// Of a commit, blobs are left out; removals of what did not exist may be.
  ///
  /// - Throws: `compacted` if the engine no longer has one of them; what `receive` throws.
  func follow(
    after revision: UInt64,
    _ receive: @concurrent @Sendable (SyncMessage) async throws(SyncError) -> Void
  ) async throws(SyncError)

  /// Returns which engine it is, and where it is.
  func position() async throws(SyncError) -> SyncPosition
}
