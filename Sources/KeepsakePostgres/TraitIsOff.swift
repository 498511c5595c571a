#if !Postgres
public import KeepsakeSync

/// A namespace in a database of PostgreSQL. Unavailable: the trait `Postgres` is off.
@available(*, unavailable, message: "Enable the trait `Postgres` of the package keepsake")
public final class PostgresEngine: SyncEngine {
  /// How much one commit may contain.
  public var limits: SyncLimits { fatalError() }

  /// Returns everything in the namespace.
  public func read() -> SyncSnapshot { fatalError() }

  /// Makes all writes at once, if the conditions are met.
  public func perform(_ commit: SyncCommit) -> SyncCommit.Result { fatalError() }

  /// Reports every commit after a revision.
  public func follow(
    after revision: UInt64,
    _ receive: @concurrent @Sendable (SyncMessage) async throws(SyncError) -> Void
  ) {}

  /// Returns which engine it is, and the revision of the namespace's last commit.
  public func position() -> SyncPosition { fatalError() }
}

@available(*, unavailable, message: "Enable the trait `Postgres` of the package keepsake")
extension SyncEngine where Self == PostgresEngine {
  /// A namespace in a database of PostgreSQL.
  public static func postgres(_ uri: String, namespace: String) -> PostgresEngine { fatalError() }
}
#endif
