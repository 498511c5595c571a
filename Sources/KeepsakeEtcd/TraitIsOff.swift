#if !Etcd
public import KeepsakeSync

/// How an etcd cluster is reached. Unavailable: the trait `Etcd` is off.
@available(*, unavailable, message: "Enable the trait `Etcd` of the package keepsake")
public struct EtcdCluster: Sendable {
  /// Creates a description of a cluster.
  public init(endpoints: [String]) {}
}

/// A namespace in an etcd cluster. Unavailable: the trait `Etcd` is off.
@available(*, unavailable, message: "Enable the trait `Etcd` of the package keepsake")
public final class EtcdEngine: SyncEngine {
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

@available(*, unavailable, message: "Enable the trait `Etcd` of the package keepsake")
extension SyncEngine where Self == EtcdEngine {
  /// A namespace in an etcd cluster.
  public static func etcd(_ endpoints: [String], namespace: String) -> EtcdEngine { fatalError() }

  /// A namespace in an etcd cluster.
  public static func etcd(_ cluster: EtcdCluster, namespace: String) -> EtcdEngine { fatalError() }
}
#endif
